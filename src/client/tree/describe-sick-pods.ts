import type { HookTree, PodTree, Tree } from './tree.js';

const mostNames = 3;

/** Example: 5 pods of revision 2: ImagePullBackOff (web-7d9-x2x4p, web-7d9-f8kq2, web-7d9-mz5wc, …) */
export function describeSickPods(tree: Tree): string[] {
  switch (tree.kind) {
    case 'Deployment':
      return tree.revisions
        .filter(({ current }) => current)
        .flatMap(({ revision, pods }) => describePods(`revision ${revision}`, pods));
    case 'DeploymentConfig':
      return tree.versions
        .filter(({ current }) => current)
        .flatMap(({ version, pods, jobs, hooks }) => [
          ...jobs
            .filter(({ phase, name }) => phase === 'Failed' && !isMended(name, hooks))
            .map(({ name, exitCode, reason }) => {
              const exit = exitCode === null ? '' : ` with exit code ${exitCode}`;
              return `${name} failed${exit}${reason === null ? '' : `: ${reason}`}`;
            }),
          ...describePods(`version ${version}`, pods),
        ]);
    case 'ImageRepository':
      return [];
  }
}

/** Whether a later try of the same hook has succeeded. */
const isMended = (pod: string, hooks: readonly HookTree[]): boolean =>
  hooks.some(({ phase, tries }) => phase === 'Succeeded' && tries.some((each) => each.pod === pod));

function describePods(parent: string, pods: readonly PodTree[]): string[] {
  const sick = pods.filter(({ ready, status }) => !ready && status !== 'Terminating');
  return [...new Set(sick.map(({ status }) => status))].map((status) => {
    const names = sick.filter((pod) => pod.status === status).map(({ name }) => name);
    const shown = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])];
    const count = names.length === 1 ? 'a pod' : `${names.length} pods`;
    return `${count} of ${parent}: ${status} (${shown.join(', ')})`;
  });
}
