import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { TemporalSession } from '../../client/connect-temporal.js';
import { badInput } from '../../client/failure.js';
import { install } from '../../client/install/install.js';
import type { Progress } from '../../client/terminal/progress.js';
import { connectCluster, type Cluster } from '../../kubernetes/connect.js';
import { withFileLock } from '../file-lock.js';
import { judgeHost } from '../node/judge-host.js';
import { nodeId } from '../node/node-network.js';
import { observeHost } from '../node/observe-host.js';
import { pkiFiles } from '../pki/pki-files.js';
import { ensureToolchain } from '../toolchain/ensure-toolchain.js';
import type { ToolName } from '../toolchain/tools.js';
import { stopParts } from './down.js';
import { ensureCluster } from './ensure-cluster.js';
import { ensureTemporal, openOwnTemporal } from './ensure-temporal.js';
import { ensureWorker } from './ensure-worker.js';
import { layoutOf, type Layout } from './layout.js';
import { expectedParts, type PartName } from './parts.js';
import { toolOfPart } from './part-tools.js';
import { loopback } from './ports.js';
import { runningPart } from './running-part.js';
import type { Session } from './session.js';
import { decideSettings, type RequestedSettings } from './settings.js';
import { readState, writeState, type StackSettings, type StackState } from './state.js';
import { readStatus, type StackStatus } from './status.js';

export interface UpOptions extends RequestedSettings {
  readonly stateFolder: string;
  readonly progress: Progress;
  /** Stops everything that was started so far. */
  readonly signal?: AbortSignal | undefined;
}

export interface UpResult {
  readonly status: StackStatus;
  /** What this run has started: nothing, when all was up already. */
  readonly started: readonly PartName[];
}

/**
 * Makes the local stack run: starts what is missing, leaves alone what runs as it should. When it
 * can't, it stops what it has started itself.
 */
export async function up(options: UpOptions): Promise<UpResult> {
  const layout = layoutOf(options.stateFolder);
  prepareFolder(layout);
  const onWait = ({ pid }: { pid: number }): void => {
    options.progress.note(`waiting for another slipway dev (process ${pid}) to end`);
  };
  try {
    const started = await withFileLock(layout.lock, { onWait, signal: options.signal }, () =>
      upLocked(layout, options),
    );
    return { status: await readStatus(options.stateFolder), started };
  } catch (error) {
    // The user's word is the reason, not what it broke on the way.
    options.signal?.throwIfAborted();
    throw error;
  }
}

async function upLocked(layout: Layout, options: UpOptions): Promise<readonly PartName[]> {
  const state = readState(layout);
  const isUp = (Object.keys(state.parts) as PartName[]).some((name) => runningPart(state, name));
  const settings = nameOwnCluster(
    decideSettings(options, isUp ? state.settings : undefined, process.env),
  );
  if (settings.realNode === true) await verifyHost(layout);
  const failed = new AbortController();
  const signals = [failed.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const session: Session = {
    layout,
    settings,
    state,
    progress: options.progress,
    signal: AbortSignal.any(signals),
    started: new Set(),
  };
  if (isUp) noteCrashes(session);
  const programs = await findPrograms(session);
  try {
    state.settings = settings;
    writeState(layout, state);
    await stopUnexpected(session);
    await ensureStack(session, programs, failed);
  } catch (error) {
    await stopParts(layout, state, startedParts(session), options.progress);
    if (Object.keys(state.parts).length === 0) delete state.settings;
    writeState(layout, state);
    throw error;
  }
  return [...session.started];
}

/** With a real node for which the machine was changed, and which then did not start. */
function startedParts({ started, settings, state }: Session): readonly PartName[] {
  const isHalfDone = settings.realNode === true && runningPart(state, 'real-node') === undefined;
  return [...new Set([...started, ...(isHalfDone ? (['real-node'] as const) : [])])];
}

/** Reads the user's kubeconfig, so that a mistake in it is told before anything starts. */
function nameOwnCluster(settings: StackSettings): StackSettings {
  const { kubeconfig, context } = settings;
  if (kubeconfig === undefined) return settings;
  return { ...settings, clusterName: connectCluster({ kubeconfig, context }).name };
}

/** What a real node can't be without is told before anything starts. */
async function verifyHost({ folder }: Layout): Promise<void> {
  const problem = judgeHost(await observeHost(nodeId(folder)));
  if (problem !== undefined) throw badInput(problem);
}

/** For its owner alone, and never seen by git, in whatever repository it is. */
function prepareFolder({ folder, logs }: Layout): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.gitignore'), '*\n', { mode: 0o600 });
}

function noteCrashes({ state, settings, progress }: Session): void {
  for (const name of expectedParts(settings)) {
    if (state.parts[name] !== undefined && runningPart(state, name) === undefined) {
      progress.note(`${name} is down: it is started again`);
    }
  }
}

function findPrograms(session: Session): Promise<Readonly<Record<ToolName, string>>> {
  const tools = expectedParts(session.settings)
    .map(toolOfPart)
    .filter((name) => name !== undefined);
  const { progress, signal } = session;
  return ensureToolchain({ tools, progress, signal });
}

/** What was started before the user brought their own instead. */
async function stopUnexpected({ layout, state, settings, progress }: Session): Promise<void> {
  const expected = expectedParts(settings);
  const surplus = (Object.keys(state.parts) as PartName[]).filter(
    (name) => !expected.includes(name),
  );
  await stopParts(layout, state, surplus, progress);
}

/** Temporal and the cluster start side by side; the worker needs both. */
async function ensureStack(
  session: Session,
  programs: Readonly<Record<ToolName, string>>,
  failed: AbortController,
): Promise<void> {
  const both = [openTemporal(session, programs.temporal), openCluster(session, programs)] as const;
  try {
    const [temporal, cluster] = await Promise.all(both);
    await ensureInstalledAndWorking(session, temporal, cluster);
  } catch (error) {
    // Whatever is still starting must have stopped starting before it can be stopped.
    failed.abort(error);
    await Promise.allSettled(both);
    throw error;
  } finally {
    const [temporal, cluster] = await Promise.allSettled(both);
    if (temporal.status === 'fulfilled') await temporal.value.connection.close();
    if (cluster.status === 'fulfilled') await cluster.value.client.close();
  }
}

function openTemporal(session: Session, program: string): Promise<TemporalSession> {
  const { temporalAddress } = session.settings;
  return temporalAddress === undefined
    ? ensureTemporal(session, program)
    : openOwnTemporal(temporalAddress);
}

async function openCluster(
  session: Session,
  programs: Readonly<Record<ToolName, string>>,
): Promise<Cluster> {
  const { kubeconfig, context } = session.settings;
  if (kubeconfig === undefined) return ensureCluster(session, programs);
  const cluster = connectCluster({ kubeconfig, context });
  await cluster.client.transport.json({ method: 'GET', path: '/version' });
  return cluster;
}

async function ensureInstalledAndWorking(
  session: Session,
  { connection, namespace }: TemporalSession,
  cluster: Cluster,
): Promise<void> {
  const { settings, layout, progress, started } = session;
  const installAll = (): Promise<void> =>
    progress.step('CRDs and search attributes', (report) =>
      install({ cluster, connection, namespace, dropIn: settings.dropIn, report }),
    );
  if (settings.worker) {
    const target = {
      kubeconfig: settings.kubeconfig ?? pkiFiles(layout.pki).worker.kubeconfig,
      temporalAddress: settings.temporalAddress ?? ownAddress(session.state),
      namespace,
    };
    await ensureWorker(session, target, installAll);
  } else if (started.size > 0) await installAll();
}

const ownAddress = ({ ports }: StackState): string =>
  `${loopback}:${String(ports.temporal?.['grpc'] ?? '')}`;
