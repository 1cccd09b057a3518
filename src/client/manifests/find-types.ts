import { isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { findKind, groupOf, kinds } from '../kinds.js';
import { mapOf, type JsonMap } from './json-value.js';
import { adviseWithout } from './openshift/kinds.js';
import { mustComeFirst, titleOf, type Draft, type Manifest } from './parse-manifests.js';

/** One kind that a version of an API has, as the cluster's discovery tells it. */
export interface ServedKind {
  /** The plural; a subresource has a slash in it. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** What each version of an API has; undefined where the cluster doesn't serve that version. */
export type ServedApis = ReadonlyMap<string, readonly ServedKind[] | undefined>;

/** Asks the cluster about the APIs of those objects whose kinds Slipway doesn't know by heart. */
export async function readServedApis(
  client: KubernetesClient,
  drafts: readonly Draft[],
): Promise<ServedApis> {
  const unknown = drafts.filter(
    ({ object }) => findKind(object.apiVersion, object.kind) === undefined,
  );
  const versions = [...new Set(unknown.map(({ object }) => object.apiVersion))];
  return new Map(
    await Promise.all(
      versions.map(async (version) => [version, await readServedApi(client, version)] as const),
    ),
  );
}

async function readServedApi(
  client: KubernetesClient,
  version: string,
): Promise<readonly ServedKind[] | undefined> {
  const parts = version.split('/').map(encodeURIComponent).join('/');
  const path = version.includes('/') ? `/apis/${parts}` : `/api/${parts}`;
  try {
    const answer = await client.transport.json<{ resources?: readonly ServedKind[] }>({
      method: 'GET',
      path,
    });
    return answer.resources ?? [];
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export interface FoundTypes {
  readonly manifests: readonly Manifest[];
  /** A sentence for each object of a kind that only OpenShift has. */
  readonly skipped: readonly string[];
  readonly mistakes: readonly string[];
}

/** How each object is addressed in this cluster. */
export function findTypes(drafts: readonly Draft[], apis: ServedApis): FoundTypes {
  const manifests: Manifest[] = [];
  const skipped: string[] = [];
  const mistakes: string[] = [];
  for (const draft of drafts) {
    const { apiVersion, kind } = draft.object;
    const known = findKind(apiVersion, kind)?.type ?? findServed(apis, apiVersion, kind);
    const advice = adviseWithout(apiVersion, kind);
    if (known !== undefined) manifests.push({ ...draft, type: known });
    else if (advice !== undefined) skipped.push(`${titleOf(draft)}: skipped: ${advice}`);
    else mistakes.push(`${titleOf(draft)}: ${explainUnknownKind(draft, drafts)}`);
  }
  return { manifests, skipped, mistakes };
}

function findServed(apis: ServedApis, apiVersion: string, kind: string) {
  const found = apis
    .get(apiVersion)
    ?.find((served) => served.kind === kind && !served.name.includes('/'));
  if (found === undefined) return undefined;
  return { apiVersion, kind, plural: found.name, namespaced: found.namespaced };
}

/** What `slipway install` adds to a cluster. */
const installed = ['slipway.dev/v1alpha1', 'apps.openshift.io/v1'];

function explainUnknownKind({ object }: Draft, all: readonly Draft[]): string {
  const { apiVersion, kind } = object;
  const start = `apiVersion: this cluster doesn't know ${kind}s of ${apiVersion}`;
  if (installed.includes(apiVersion)) return `${start}; "slipway install" adds them`;
  if (all.some((one) => defines(one, apiVersion, kind))) {
    return `${start}, and their CustomResourceDefinition ${mustComeFirst}`;
  }
  const sameKind = kinds.filter(({ type }) => type.kind === kind);
  if (sameKind.length === 0) return start;
  const versions = sameKind.map(({ type }) => type.apiVersion).join(' or ');
  return `apiVersion: "${apiVersion}" should be ${versions}`;
}

function defines({ object }: Draft, apiVersion: string, kind: string): boolean {
  if (object.kind !== 'CustomResourceDefinition') return false;
  const spec = mapOf((object as unknown as JsonMap)['spec']);
  return spec['group'] === groupOf({ apiVersion }) && mapOf(spec['names'])['kind'] === kind;
}
