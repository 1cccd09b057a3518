import { resources, type ResourceType } from '../kubernetes/resources.js';

/** One row per kind that commands accept: how it is addressed, and what users call it. */
export interface Kind {
  readonly type: ResourceType;
  /** The words before the slash, in the singular, the plural and short, as kubectl takes them. */
  readonly names: readonly string[];
  /** More than one of them, in a sentence. */
  readonly title: string;
}

/** In the order in which a name without a group is looked for. */
export const kinds: readonly Kind[] = [
  {
    type: resources.slipwayDeployments,
    names: ['deployment', 'deployments', 'deploy', 'sdeploy'],
    title: 'Deployments',
  },
  {
    type: resources.builtInDeployments,
    names: ['deployment', 'deployments', 'deploy'],
    title: 'Deployments',
  },
  {
    type: resources.deploymentConfigs,
    names: ['deploymentconfig', 'deploymentconfigs', 'dc'],
    title: 'DeploymentConfigs',
  },
  {
    type: resources.imageRepositories,
    names: ['imagerepository', 'imagerepositories', 'ir'],
    title: 'ImageRepositories',
  },
];

/** Example: Deployments, DeploymentConfigs and ImageRepositories */
export function nameKinds(some: readonly Kind[]): string {
  const titles = [...new Set(some.map(({ title }) => title))];
  const last = titles.at(-1) ?? 'nothing';
  return titles.length < 2 ? last : `${titles.slice(0, -1).join(', ')} and ${last}`;
}

/** Example: apps/v1 -> apps */
export function groupOf({ apiVersion }: Pick<ResourceType, 'apiVersion'>): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** The unmistakable name of an object, which every command accepts. Example: deployment.apps/web */
export function refOf(type: Pick<ResourceType, 'apiVersion' | 'kind'>, name: string): string {
  const group = groupOf(type);
  return `${type.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`;
}

export function findKind(apiVersion: string, kind: string): Kind | undefined {
  return kinds.find(({ type }) => type.apiVersion === apiVersion && type.kind === kind);
}

/** Which kinds `deploy`, `deployments.apps` or `deployment.v1alpha1.slipway.dev` can mean. */
export function matchKinds(word: string): readonly Kind[] {
  const [name = '', ...qualifiers] = word.toLowerCase().split('.');
  const qualifier = qualifiers.join('.');
  return kinds.filter(({ type, names }) => {
    if (!names.includes(name)) return false;
    if (qualifier === '') return !word.includes('.');
    const group = groupOf(type);
    const version = type.apiVersion.slice(group.length + 1);
    return qualifier === group || qualifier === `${version}.${group}`;
  });
}
