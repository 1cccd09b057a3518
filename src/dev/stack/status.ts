import { localClusterName } from './ensure-cluster.js';
import { layoutOf, logPath } from './layout.js';
import { expectedParts, type PartName } from './parts.js';
import { answers, loopback } from './ports.js';
import { runningPart } from './running-part.js';
import { readState, type StackSettings, type StackState } from './state.js';

export interface PartStatus {
  readonly name: PartName;
  readonly running: boolean;
  readonly pid: number | null;
  /** Why it is not running, or what of it doesn't answer. */
  readonly problem: string | null;
  readonly log: string;
}

export interface ClusterAddress {
  /** As in workflow ids and search attributes. */
  readonly name: string;
  readonly kubeconfig: string;
  /** Where it is not the kubeconfig's own choice. */
  readonly context?: string;
}

/** What scripts read. */
export interface StackStatus {
  /** `up`: all of it runs; `degraded`: something should run and doesn't; `down`: nothing should. */
  readonly state: 'up' | 'degraded' | 'down';
  readonly temporal: { readonly address: string; readonly ui: string | null } | null;
  readonly clusters: readonly ClusterAddress[];
  readonly federation: null;
  /** `http` is where its HTTP API is, as soon as it has been started. */
  readonly worker: { readonly running: boolean; readonly http: string | null };
  readonly dropIn: boolean;
  readonly stateFolder: string;
  readonly parts: readonly PartStatus[];
}

export async function readStatus(stateFolder: string): Promise<StackStatus> {
  const layout = layoutOf(stateFolder);
  const state = readState(layout);
  const { settings } = state;
  const names = settings === undefined ? [] : expectedParts(settings);
  const parts = await Promise.all(
    names.map(async (name): Promise<PartStatus> => {
      const running = runningPart(state, name);
      const problem = running === undefined ? 'it is not running' : await findSilence(state, name);
      return {
        name,
        running: problem === null,
        pid: running?.pid ?? null,
        problem,
        log: logPath(layout, name),
      };
    }),
  );
  const allRun = parts.every(({ running }) => running);
  return {
    state: settings === undefined ? 'down' : allRun ? 'up' : 'degraded',
    temporal: temporalOf(state),
    clusters: settings === undefined ? [] : [clusterOf(settings, layout.kubeconfig)],
    federation: null,
    worker: {
      running: parts.some(({ name, running }) => name === 'worker' && running),
      http: workerUrlOf(state),
    },
    dropIn: settings?.dropIn ?? false,
    stateFolder,
    parts,
  };
}

/** A process may be there and yet be stuck: its ports tell. */
async function findSilence(state: StackState, name: PartName): Promise<string | null> {
  for (const [portName, port] of Object.entries(state.ports[name] ?? {})) {
    if (!(await answers(port))) return `its port ${port} (${portName}) does not answer`;
  }
  return null;
}

function clusterOf(settings: StackSettings, localKubeconfig: string): ClusterAddress {
  const { kubeconfig, context, clusterName = localClusterName } = settings;
  return {
    name: clusterName,
    kubeconfig: kubeconfig ?? localKubeconfig,
    ...(context === undefined ? {} : { context }),
  };
}

function temporalOf({ settings, ports }: StackState): StackStatus['temporal'] {
  if (settings === undefined) return null;
  if (settings.temporalAddress !== undefined) {
    return { address: settings.temporalAddress, ui: null };
  }
  const { grpc, ui } = ports.temporal ?? {};
  if (grpc === undefined || ui === undefined) return null;
  return { address: `${loopback}:${grpc}`, ui: `http://${loopback}:${ui}` };
}

function workerUrlOf({ settings, ports }: StackState): string | null {
  const port = ports.worker?.['http'];
  return settings?.worker === true && port !== undefined ? `http://${loopback}:${port}` : null;
}
