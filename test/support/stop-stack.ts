import { stopSharedStack } from './shared-stack.js';

export default async function stopStack(): Promise<void> {
  await stopSharedStack();
}
