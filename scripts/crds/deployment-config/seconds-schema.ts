import type { Schema } from '../schema.js';

/** A time that passes: at least a second. */
export const seconds: Schema = { type: 'integer', format: 'int64', minimum: 1 };
