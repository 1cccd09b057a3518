import type { DeploymentTree } from './tree.js';

const mostNames = 3;

/** Example: 5 pods of revision 2: ImagePullBackOff (web-7d9-x2x4p, web-7d9-f8kq2, web-7d9-mz5wc, …) */
export function describeSickPods({ revisions }: DeploymentTree): string[] {
  return revisions
    .filter(({ current }) => current)
    .flatMap(({ revision, pods }) => {
      const sick = pods.filter(({ ready, status }) => !ready && status !== 'Terminating');
      return [...new Set(sick.map(({ status }) => status))].map((status) => {
        const names = sick.filter((pod) => pod.status === status).map(({ name }) => name);
        const shown = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])];
        const count = names.length === 1 ? 'a pod' : `${names.length} pods`;
        return `${count} of revision ${revision}: ${status} (${shown.join(', ')})`;
      });
    });
}
