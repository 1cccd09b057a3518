import type { Client, WorkflowHandle } from '@temporalio/client';

import { hookWorkflowId } from '../../src/contracts/hook.js';
import { hookPodName, type HookMoment } from '../../src/domain/shared/hook.js';
import { readHookRecord } from '../../src/kubernetes/hooks/hook-record.js';
import { runOnceFinalizer } from '../../src/kubernetes/run-once-pods/hold.js';
import type { ApiserverProxy } from './apiserver-proxy.js';
import type { EtcdHistory, PastObject } from './etcd-history.js';
import type { CrashCase, HookPlayer } from './hook-crash-cases.js';
import { HookHistory } from './hook-history.js';
import { HookTrial } from './hook-trial.js';
import type { HookedRollout } from './hooked-rollout.js';
import { waitFor } from './wait-for.js';

interface Scene {
  readonly temporal: Client;
  readonly proxy: ApiserverProxy;
  /** Looked at instead of the cluster, which has enough to do and may be down. */
  readonly history: EtcdHistory;
}

/** A busy machine takes its time to start things again. */
const withinMs = 120_000;

/** One rollout with hooks, on its way through a crash. */
export class CrashedRollout implements HookPlayer {
  private readonly hooks: HookTrial;
  private readonly problems: string[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly rollout: HookedRollout,
    private readonly crash: CrashCase,
  ) {
    this.hooks = new HookTrial(rollout.trial, rollout.type);
  }

  get name(): string {
    return this.rollout.name;
  }

  /** Lets it come to the point at which it is when something dies. */
  async interrupt(): Promise<void> {
    const { crash, rollout } = this;
    const { point } = crash;
    const { name, previous } = rollout;
    const isReached = this.arm();
    if (previous !== undefined) {
      await rollout.precede();
      await this.wait(`${previous} is Complete`, () => this.endOf(previous) === 'Complete');
    }
    await rollout.begin();
    await crash.before?.(this);
    await this.wait(`${name} is interrupted`, () =>
      point.kind === 'running' ? this.recordOf(point.moment).phase === 'Running' : isReached(),
    );
  }

  /** What goes wrong in it, and in what follows, is told in the end. */
  async playMeanwhile(): Promise<void> {
    await this.noting(() => this.crash.meanwhile?.(this));
  }

  /** Lets all end and waits until nothing is held any more. */
  async settle(): Promise<void> {
    await this.noting(async () => {
      const { crash, name } = this;
      await crash.afterwards?.(this);
      for (const moment of this.moments) {
        const phase = crash.hooks[moment]?.phase;
        const what = `the ${moment} hook of ${name} is ${phase ?? ''}`;
        await this.wait(what, () => this.recordOf(moment).phase === phase);
      }
      await this.wait(`${name} is ${crash.end}`, () => this.endOf(name) === crash.end);
      await this.wait(`the pods of ${name} are let go`, () => !this.isAnyHeld());
    });
  }

  /** What is not as it should be, or was not on the way there. */
  async judge(): Promise<readonly string[]> {
    const { crash, rollout, scene } = this;
    const { namespace } = rollout.trial;
    const told = new HookHistory(rollout, this.moments).read(scene.history.of(namespace));
    const tries = told.tries.join(', ');
    const size = scene.history.find(rollout.kind, namespace, rollout.name)?.replicas;
    return [
      ...this.problems,
      ...told.problems.filter((problem) => crash.allows?.test(problem) !== true),
      ...(tries === this.tries.join(', ') ? [] : [`it was tried in ${tries}`]),
      ...(size === (crash.end === 'Complete' ? 1 : 0) ? [] : [`it has ${size ?? 'no'} pods`]),
      ...this.judgePrevious(),
      ...(await this.judgeRuns()),
    ];
  }

  async end(moment: HookMoment, code: number, number = 1): Promise<void> {
    await this.untilPod(moment, number, 'Running');
    await this.hooks.end(this.name, moment, code, { number });
  }

  async force(moment: HookMoment, phase = 'Running'): Promise<void> {
    await this.untilPod(moment, 1, phase);
    await this.hooks.force(this.name, moment, phase);
  }

  async takeAway(moment: HookMoment): Promise<void> {
    await this.untilPod(moment, 1, 'Running');
    await this.hooks.takeAway(this.name, moment);
  }

  private get moments(): readonly HookMoment[] {
    return Object.keys(this.crash.hooks) as HookMoment[];
  }

  /** The names of all pods that it needs. */
  private get tries(): readonly string[] {
    return this.moments.flatMap((moment) =>
      Array.from({ length: this.crash.hooks[moment]?.tries ?? 0 }, (_, index) =>
        hookPodName(this.name, moment, index + 1),
      ),
    );
  }

  private arm(): () => boolean {
    const { crash, scene, rollout } = this;
    const { point } = crash;
    if (point.kind === 'running') return () => false;
    return scene.proxy.interrupt({
      at: (write) => rollout.isOwn(write) && point.isWrite(write, rollout),
      isThrough: point.isThrough,
      isHeld: point.isHeld,
      then: (write) => rollout.isOwn(write),
    });
  }

  private async noting(act: () => Promise<void> | undefined): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
    }
  }

  private async wait(what: string, isSo: () => boolean): Promise<void> {
    await waitFor(what, () => (isSo() ? true : undefined), withinMs);
  }

  private untilPod(moment: HookMoment, number: number, phase: string): Promise<void> {
    const name = hookPodName(this.name, moment, number);
    return this.wait(`pod ${name} is ${phase}`, () => this.findPod(name)?.phase === phase);
  }

  private findPod(name: string): PastObject | undefined {
    return this.scene.history.find('pods', this.rollout.trial.namespace, name);
  }

  private endOf(name: string): string | undefined {
    return this.rollout.endOf(name, this.scene.history);
  }

  private recordOf(moment: HookMoment): ReturnType<typeof readHookRecord> {
    const { kind, name, trial } = this.rollout;
    const { annotations = {} } = this.scene.history.find(kind, trial.namespace, name) ?? {};
    return readHookRecord({ metadata: { name, annotations } }, moment);
  }

  private isAnyHeld(): boolean {
    const pods = this.tries.map((name) => this.findPod(name));
    return pods.some((pod) => pod?.finalizers.includes(runOnceFinalizer) === true);
  }

  /** What serves before it keeps its pods, unless they are replaced. */
  private judgePrevious(): readonly string[] {
    const { kind, previous, trial } = this.rollout;
    if (previous === undefined) return [];
    const sizes = this.scene.history
      .of(trial.namespace)
      .filter((write) => write.kind === kind && write.name === previous)
      .map(({ object }) => object?.replicas ?? 0);
    const served = sizes.slice(sizes.indexOf(1));
    const moved = served.filter((size, index) => size !== served[index - 1]).join(', ');
    const isRight = moved === (this.crash.end === 'Complete' ? '1, 0' : '1');
    return isRight ? [] : [`what served before it had ${sizes.join(', ')} pods`];
  }

  private async judgeRuns(): Promise<readonly string[]> {
    const { crash, rollout, scene } = this;
    const hookRun = (moment: HookMoment): WorkflowHandle =>
      scene.temporal.workflow.getHandle(hookWorkflowId(rollout.hookRef(moment)));
    const runs = [
      [rollout.run, crash.end === 'Complete'],
      ...this.moments.map(
        (moment) => [hookRun(moment), crash.hooks[moment]?.phase === 'Succeeded'] as const,
      ),
    ] as const;
    const found = runs.map(async ([run, isGood]) => {
      const { status } = await run.describe();
      const isRight = status.name === (isGood ? 'COMPLETED' : 'FAILED');
      return isRight ? [] : [`${run.workflowId} is ${status.name}`];
    });
    return (await Promise.all(found)).flat();
  }
}
