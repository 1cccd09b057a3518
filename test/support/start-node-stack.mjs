import { stopSharedStackOnSignal } from './start-stack.mjs';
import { startSharedStack } from './shared-stack.mjs';

/** With a real node, for what only real pods can show. */
export default function startNodeStack() {
  stopSharedStackOnSignal();
  startSharedStack('--real-node');
}
