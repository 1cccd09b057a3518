import { startLocalStack, writeWorkerKubeconfig } from './local-stack.js';
import { setSharedStack, stopSharedStack } from './shared-stack.js';
import { WorkerProcess } from './worker-process.js';

/** One stack for all end-to-end tests; its worker has the rights that deploy/ gives it, and no more. */
export default async function startStack(): Promise<void> {
  const stack = await startLocalStack(['--drop-in']);
  try {
    const worker = await WorkerProcess.start(stack, await writeWorkerKubeconfig(stack));
    setSharedStack({ stack, worker });
  } catch (error) {
    await stack.stop();
    throw error;
  }
  process.env['SLIPWAY_E2E_KUBECONFIG'] = stack.kubeconfig;
  process.env['SLIPWAY_E2E_TEMPORAL_ADDRESS'] = stack.temporalAddress;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void stopSharedStack().finally(() => process.exit(130));
    });
  }
}
