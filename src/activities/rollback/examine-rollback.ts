import type { ExamineRollback, RollbackMember } from '../../contracts/rollback.js';
import {
  buildRollback,
  partsOf,
  type RollbackParts,
} from '../../domain/rollback/build-rollback.js';
import { compareConfigs } from '../../domain/rollback/compare-configs.js';
import { findRisks, type Surroundings } from '../../domain/rollback/find-risks.js';
import { findUndeployed, type Deployed } from '../../domain/rollback/find-undeployed.js';
import { judgeImages } from '../../domain/rollback/judge-images.js';
import { listImages } from '../../domain/rollback/list-images.js';
import { listReferences } from '../../domain/rollback/list-references.js';
import { pickRelease } from '../../domain/rollback/pick-release.js';
import type {
  ConfigReport,
  ExaminedBase,
  RollbackProblem,
  RollbackReport,
} from '../../domain/rollback/report.js';
import type { GoingBack } from '../../domain/rollback/scene.js';
import { assert } from '../../domain/shared/assert.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { podLabels } from '../../kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { findExisting } from '../../kubernetes/rollback/find-existing.js';
import {
  readConfigNeighbour,
  readDeploymentNeighbour,
} from '../../kubernetes/rollback/read-neighbour.js';
import { readReleases } from '../../kubernetes/rollback/read-releases.js';
import { readService } from '../../kubernetes/rollback/read-service.js';
import { readVersionData } from '../../kubernetes/rollback/read-version-data.js';
import { hastyLimits, patientLimits } from '../../registry/find-images.js';
import type { RegistryLimits } from '../../registry/limits.js';
import { createRegistryClient, type RegistryClient } from '../../registry/registry-client.js';
import type { ClusterAccess } from '../cluster-access.js';
import { withHeartbeat } from '../run-course.js';
import { checkImages } from './check-images.js';
import { findWriteProblems } from './find-write-problems.js';
import { observeSurroundings, type Seen } from './observe-surroundings.js';

/** Tells what going back would change and what it may break, for all that go back together. */
export function createExamineRollback(access: ClusterAccess): ExamineRollback {
  return async (ref) => {
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    const names = ref.members.map(({ name }) => name).join(', ');
    return withHeartbeat(`look at what going back means for ${names}`, async () => ({
      kind: 'examined',
      report: await examineWithin(ref.dryRun === true ? hastyLimits : patientLimits, client, ref),
    }));
  };
}

/** What to look at for one config. */
export interface ExaminedMember extends RollbackMember {
  /** For those who name each part, as OpenShift does. @default those of the wish */
  readonly parts?: RollbackParts;
}

export interface Examination {
  readonly namespace: string;
  readonly members: readonly ExaminedMember[];
}

/** For somebody who waits for it; registries that take long are not waited for. */
export const examineInHaste = (client: Examiner, ref: Examination): Promise<RollbackReport> =>
  examineWithin(hastyLimits, client, ref);

async function examineWithin(
  limits: Partial<RegistryLimits>,
  client: Examiner,
  ref: Examination,
): Promise<RollbackReport> {
  const registry = createRegistryClient({ limits });
  try {
    return await examineRollback(client, registry, ref);
  } finally {
    await registry.close();
  }
}

type Examiner = Pick<KubernetesClient, 'get' | 'getMetadata' | 'list' | 'replace'>;
type Registry = Pick<RegistryClient, 'resolveTag' | 'findDigest'>;

/** Exported for tests. */
export async function examineRollback(
  client: Examiner,
  registry: Registry,
  { namespace, members }: Examination,
): Promise<RollbackReport> {
  const names = members.map(({ name }) => name);
  const seen = await observeSurroundings(client, namespace, names);
  const prepared = members.map((member) => prepare(member, namespace, seen));
  const able = prepared.flatMap((one) => (one.kind === 'able' ? [one.going] : []));
  const references = able.flatMap(({ proposed }) => listReferences(proposed));
  const { existing, warnings } = await findExisting(client, namespace, references);
  const surroundings: Surroundings = {
    neighbours: listNeighbours(seen, able),
    services: seen.services.map(readService),
    existing,
  };
  const imageScene = { client, registry, namespace, repositories: seen.repositories };
  const configs = await Promise.all(
    prepared.map(async (one): Promise<ConfigReport> => {
      if (one.kind === 'unable') return one.report;
      const { going, wish, deployed } = one;
      const { current, proposed, from, to } = going;
      const images = listImages(proposed, wish, deployed.config);
      const [findings, refusals] = await Promise.all([
        checkImages(
          imageScene,
          images.map(({ image }) => image),
          proposed.spec.template.spec ?? {},
        ),
        findWriteProblems(client, proposed),
      ]);
      const judged = judgeImages(images, findings);
      return {
        name: current.metadata.name,
        from,
        to,
        changes: compareConfigs(current, proposed),
        problems: [...refusals, ...judged.problems],
        warnings: [
          ...findUndeployed(deployed, proposed, wish),
          ...findRisks(going, able, surroundings),
          ...judged.warnings,
          ...warnings.filter(({ object }) => needs(proposed, object)),
          ...seen.warnings,
        ],
        base: baseOf(current),
      };
    }),
  );
  return { configs };
}

type Prepared =
  | {
      readonly kind: 'able';
      readonly going: Going;
      readonly wish: RollbackMember['wish'];
      readonly deployed: Deployed;
    }
  | { readonly kind: 'unable'; readonly report: ConfigReport };

/** As the decisions need it, with the configs as they stand on the wire. */
interface Going extends GoingBack {
  readonly current: DeploymentConfig;
  readonly proposed: DeploymentConfig;
}

/** What one config would go back to, or why it can't. */
function prepare({ name, wish, parts }: ExaminedMember, namespace: string, seen: Seen): Prepared {
  const config = seen.configs.find(({ metadata }) => metadata.name === name);
  const from = config?.status?.latestVersion ?? 0;
  const refuse = (problem: RollbackProblem): Prepared => {
    const nothing = { changes: [], warnings: [] };
    const to = wish.release ?? 0;
    const base = config === undefined ? {} : { base: baseOf(config) };
    return { kind: 'unable', report: { name, from, to, problems: [problem], ...nothing, ...base } };
  };
  if (config === undefined) {
    const message = `there is no DeploymentConfig "${name}" in namespace "${namespace}"`;
    return refuse({ field: 'name', message });
  }
  const releases = readReleases(config, seen.controllers);
  const picked = pickRelease({ name, latestVersion: from, releases }, wish);
  if (picked.kind === 'problem') return refuse(picked.problem);
  const { version: to } = picked;
  const snapshot = releases.find(({ version }) => version === to)?.snapshot;
  // The latest version may be gone, or never have been there: the cluster has refused it.
  const last = releases.findLast(({ isReadable }) => isReadable);
  assert(snapshot !== undefined && last?.snapshot !== undefined, 'what was picked can be read');
  const going = {
    current: config,
    proposed: buildRollback(config, snapshot, parts ?? partsOf(wish)),
    from,
    to,
    ownLabels: { [podLabels.config]: name },
    versions: releases.map(({ controller, version }) => readVersionData(controller, version)),
  };
  const deployed = { version: last.version, config: last.snapshot };
  return { kind: 'able', going, wish, deployed };
}

const baseOf = ({ metadata: { uid = '', generation = 0 } }: DeploymentConfig): ExaminedBase => ({
  uid,
  generation,
});

/** What stays as it is: also those that should go back and can't. */
function listNeighbours(
  { configs, deployments }: Seen,
  able: readonly GoingBack[],
): Surroundings['neighbours'] {
  const going = able.map(({ current }) => current.metadata.name);
  const staying = configs.filter(({ metadata }) => !going.includes(metadata.name));
  return [...staying.map(readConfigNeighbour), ...deployments.map(readDeploymentNeighbour)];
}

const needs = (config: DeploymentConfig, object: string): boolean =>
  listReferences(config).some(({ kind, name }) => `${kind}/${name}` === object);
