import { stopSharedStack } from './shared-stack.mjs';

export default function stopStack() {
  stopSharedStack();
}
