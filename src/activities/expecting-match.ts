import { ApiError, isInvalid } from '../kubernetes/api-error.js';

/** A failed `test` of a JSON patch comes back as an invalid request; it means that others wrote first. */
export async function expectingMatch<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isInvalid(error) || !(error instanceof ApiError)) throw error;
    throw new ApiError(409, 'Conflict', error.message);
  }
}
