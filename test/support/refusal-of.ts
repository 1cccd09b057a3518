import { ApiError } from '../../src/kubernetes/api-error.js';

/** What the server has against a request that it must refuse. */
export async function refusalOf(request: Promise<unknown>): Promise<ApiError> {
  try {
    await request;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the server accepted it');
}
