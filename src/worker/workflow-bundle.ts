import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';

/** Made by the build, so that a worker in production starts without a compiler. */
export const bundlePath = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/** The only door to workflow code. */
export const workflowsPath = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../workflows/index.ts' : '../workflows/index.js',
    import.meta.url,
  ),
);

/** The prebuilt bundle; from sources, as in tests, one made on the spot. */
export async function loadWorkflowBundle(): Promise<WorkflowBundleOption> {
  if (existsSync(bundlePath)) return { codePath: bundlePath };
  return bundleWorkflowCode({ workflowsPath });
}
