import { writeFile } from 'node:fs/promises';

import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

import { bundlePath, workflowsPath } from './workflow-bundle.js';

const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
await writeFile(bundlePath, code);
