export { hook } from './hook/hook.js';
export { deployment } from './deployment/deployment.js';
export { deploymentConfig } from './deployment-config/deployment-config.js';
export { rollback } from './rollback/rollback.js';
export { watch } from './watch/watch.js';
