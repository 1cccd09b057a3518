import type { ToolName } from '../toolchain/tools.js';
import type { PartName } from './parts.js';

/** The program of a part that the toolchain finds or builds; undefined for the worker, which is Node. */
export function toolOfPart(part: PartName): ToolName | undefined {
  if (part === 'worker') return undefined;
  return part === 'real-node' ? 'kubelet' : part;
}
