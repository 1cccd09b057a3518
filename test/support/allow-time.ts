import { jest } from '@jest/globals';

// Waits have deadlines and messages of their own; this one only ends what hangs for good.
jest.setTimeout(100_000);
