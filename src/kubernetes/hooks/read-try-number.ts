import type { Pod } from '../objects.js';
import { hookTryAnnotation } from './annotations.js';

/** Which try of its hook a pod is, counted from 1. */
export function readTryNumber({ metadata }: Pod): number {
  const number = Number(metadata.annotations?.[hookTryAnnotation]);
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
}
