export { deployment } from './deployment/deployment.js';
export { watch } from './watch/watch.js';
