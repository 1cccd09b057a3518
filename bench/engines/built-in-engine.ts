import { startBuiltInController } from '../../test/support/built-in-controller.js';
import type { Engine } from './engine.js';

export const createBuiltInEngine = (stateDir: string): Engine => ({
  name: 'built-in',
  workload: 'deployment',
  start: (signal) => startBuiltInController({ stateDir, signal }),
});
