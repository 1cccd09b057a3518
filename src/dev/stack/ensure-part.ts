import { createHash } from 'node:crypto';

import { CommandFailure } from '../../client/failure.js';
import { toolOfPart } from './part-tools.js';
import { tools } from '../toolchain/tools.js';
import type { PartCommand } from './commands.js';
import { decidePart } from './decide-part.js';
import { logPath } from './layout.js';
import { lastLines } from './part-log.js';
import { isGroup, portNames, type PartName, type PortsOf } from './parts.js';
import { isFree, pickFreePort } from './ports.js';
import { runningPart } from './running-part.js';
import type { Session } from './session.js';
import { spawnDetached, type DetachedProcess } from './spawn-detached.js';
import { writeState } from './state.js';
import { stopPart } from './stop-part.js';
import { NotInTime, waitUntil } from './wait-until.js';

export interface PartPlan<Name extends PartName> {
  readonly name: Name;
  command(ports: PortsOf<Name>): PartCommand;
  /** What it gets of this process' environment, without being started anew when that changes. */
  readonly inherited?: Readonly<Record<string, string>>;
  /** Changes with the program, where its path stays the same. */
  readonly build?: string;
  /** What has to be there before it is started. */
  beforeStart?(): Promise<void>;
  /** Called before it is asked whether it is ready, and before it is started. */
  prepare?(ports: PortsOf<Name>): void;
  /**
   * True once it answers as it should; anything else, and any error, means: not yet. The output is
   * there only of a process that was just started.
   */
  isReady(ports: PortsOf<Name>, output: string | undefined): Promise<boolean>;
  readonly readyWithinMs: number;
}

/** How often a part is given other ports because someone took one between choosing and starting. */
const portTries = 3;
const shownLines = 5;
const portIsTaken = /address already in use|bind: Only one usage/i;

/** Makes one part run as planned and waits until it is ready. Leaves alone what already does. */
export async function ensurePart<Name extends PartName>(
  session: Session,
  plan: PartPlan<Name>,
): Promise<PortsOf<Name>> {
  const { state, progress } = session;
  const running = runningPart(state, plan.name);
  if (running !== undefined) {
    const ports = state.ports[plan.name] as PortsOf<Name>;
    if (decidePart(running, fingerprint(plan, ports)).kind === 'keep') {
      plan.prepare?.(ports);
      await waitReady(session, plan, ports, undefined);
      return ports;
    }
    progress.note(`${plan.name} runs otherwise than it should: it is started anew`);
    await progress.step(`${plan.name} stops`, () =>
      stopPart(running, { wholeGroup: isGroup(plan.name) }),
    );
  }
  await plan.beforeStart?.();
  return progress.step(plan.name, () => startWithPorts(session, plan));
}

async function startWithPorts<Name extends PartName>(
  session: Session,
  plan: PartPlan<Name>,
): Promise<PortsOf<Name>> {
  for (let tries = 1; ; tries += 1) {
    const ports = await choosePorts(session, plan.name);
    plan.prepare?.(ports);
    const child = await start(session, plan, ports);
    try {
      await waitReady(session, plan, ports, child);
      return ports;
    } catch (error) {
      const lostPort = child.ended() !== undefined && portIsTaken.test(child.output());
      if (!lostPort || tries === portTries) throw error;
      // Whichever it was: all are chosen anew.
      session.state.ports[plan.name] = {};
    }
  }
}

async function start<Name extends PartName>(
  { layout, state, started, signal }: Session,
  plan: PartPlan<Name>,
  ports: PortsOf<Name>,
): Promise<DetachedProcess> {
  signal.throwIfAborted();
  const command = plan.command(ports);
  const inherited = plan.inherited ?? { PATH: process.env['PATH'] ?? '' };
  const child = await spawnDetached(command, inherited, logPath(layout, plan.name));
  started.add(plan.name);
  const { pid, identity } = child;
  state.parts[plan.name] = { pid, identity, fingerprint: fingerprint(plan, ports) };
  writeState(layout, state);
  return child;
}

/** Those of the last time where they are free, so that addresses written down elsewhere stay good. */
async function choosePorts<Name extends PartName>(
  { state }: Session,
  name: Name,
): Promise<PortsOf<Name>> {
  const earlier: Readonly<Record<string, number>> = state.ports[name] ?? {};
  const chosen: Record<string, number> = { ...earlier };
  // Noted one by one, since parts that start side by side choose at the same time.
  state.ports[name] = chosen;
  const isTaken = (port: number): boolean =>
    Object.values(state.ports).some((ports) => Object.values(ports).includes(port));
  for (const portName of portNames[name]) {
    const last = earlier[portName];
    if (last !== undefined && (await isFree(last))) continue;
    let port = await pickFreePort();
    while (isTaken(port)) port = await pickFreePort();
    chosen[portName] = port;
  }
  return chosen as PortsOf<Name>;
}

async function waitReady<Name extends PartName>(
  session: Session,
  plan: PartPlan<Name>,
  ports: PortsOf<Name>,
  child: DetachedProcess | undefined,
): Promise<void> {
  const log = logPath(session.layout, plan.name);
  try {
    await waitUntil(async () => ((await plan.isReady(ports, child?.output())) ? true : undefined), {
      withinMs: plan.readyWithinMs,
      signal: session.signal,
      check: () => {
        if (child?.ended() !== undefined)
          throw new NotInTime(`it ended with ${child.ended() ?? ''}`);
      },
    });
  } catch (error) {
    if (!(error instanceof NotInTime)) throw error;
    const why =
      child?.ended() === undefined
        ? `it was not ready after ${plan.readyWithinMs / 1_000} s${describeCause(error.cause)}`
        : error.message;
    for (const line of lastLines(child?.output() ?? '', shownLines))
      session.progress.note(`  ${line}`);
    throw new CommandFailure(`${plan.name} did not come up: ${why}; its log is ${log}`, undefined, {
      cause: error,
    });
  }
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? ` (${cause.message})` : '';
}

/**
 * Where a program of the pinned version was found makes no difference: a newly installed one on the
 * PATH is no reason to start everything anew.
 */
function fingerprint<Name extends PartName>(plan: PartPlan<Name>, ports: PortsOf<Name>): string {
  const { arguments: words, environment } = plan.command(ports);
  const toolName = toolOfPart(plan.name);
  const tool = toolName === undefined ? undefined : tools[toolName];
  const origin = tool === undefined ? [] : [tool.version, process.env[tool.variable] ?? ''];
  const identity = JSON.stringify([words, environment, plan.build, ...origin]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}
