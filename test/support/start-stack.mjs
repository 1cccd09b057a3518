import { startSharedStack, stopSharedStack } from './shared-stack.mjs';

export default function startStack() {
  stopSharedStackOnSignal();
  startSharedStack();
}

export function stopSharedStackOnSignal() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      stopSharedStack();
      process.exit(130);
    });
  }
}
