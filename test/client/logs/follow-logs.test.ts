import { describe, expect, test } from '@jest/globals';

import { findConfigLogs } from '../../../src/client/configs/config-logs.js';
import { LogFollower } from '../../../src/client/logs/follow-logs.js';
import { printLogs, type LogsRequest } from '../../../src/client/logs/print-logs.js';
import type { LogSelection } from '../../../src/client/logs/log-selection.js';
import type { LogScene } from '../../../src/client/logs/log-target.js';
import { WatchedScene } from '../../../src/client/logs/watch-scene.js';
import type { FollowEnd } from '../../../src/client/follower.js';
import type { Subject } from '../../../src/client/handling.js';
import { ApiError } from '../../../src/kubernetes/api-error.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import type { KubernetesObject, Pod } from '../../../src/kubernetes/objects.js';
import { resources } from '../../../src/kubernetes/resources.js';
import { config, hookMarks, hookPod, version } from '../support/configs.js';

const exec = {
  failurePolicy: 'Retry' as const,
  execNewPod: { containerName: 'web', command: ['true'] },
};
const spec = {
  strategy: { type: 'Recreate' as const, recreateParams: { pre: exec, post: exec } },
};
const root = config({ spec });
const ref = 'deploymentconfig.apps.openshift.io/web';

/** A follower that is shown one scene after another; its logs are texts by pod, or errors. */
class Trial {
  readonly out: string[] = [];
  readonly remarks: string[] = [];
  readonly scene = new WatchedScene();
  private readonly stopping = new AbortController();

  constructor(private readonly logs: Readonly<Record<string, readonly string[] | Error>> = {}) {}

  async request(selection: LogSelection = {}): Promise<LogsRequest> {
    const subject = { ref, type: resources.deploymentConfigs, object: root };
    return {
      client: { readLog: (_namespace, pod) => this.read(pod) },
      target: await findConfigLogs(subject as unknown as Subject<DeploymentConfig>),
      selection,
      tail: undefined,
      printing: {
        out: {
          write: (text: string) => {
            this.out.push(text.trimEnd());
            return true;
          },
          once: () => undefined,
        },
        timestamps: false,
        colour: false,
        remark: (sentence) => this.remarks.push(sentence),
      },
      signal: this.stopping.signal,
    };
  }

  async follow(selection: LogSelection = {}): Promise<FollowEnd> {
    return new LogFollower(await this.request(selection), this.scene).run();
  }

  show({ root: seen, holder, pods }: LogScene): void {
    const byUid = (objects: readonly KubernetesObject[]) =>
      new Map(objects.map((object) => [object.metadata.uid ?? object.metadata.name, object]));
    this.scene.note('pods', byUid(pods));
    this.scene.note('holder', byUid(holder === undefined ? [] : [holder]));
    this.scene.note('root', byUid(seen === undefined ? [] : [seen]));
  }

  stop(): void {
    this.stopping.abort(new Error('stopped'));
    this.scene.wake();
  }

  private async *read(pod: string): AsyncGenerator<string> {
    const log = this.logs[pod] ?? new ApiError(404, 'NotFound', 'no such pod');
    if (log instanceof Error) throw log;
    await Promise.resolve();
    for (const [index, text] of log.entries()) yield `2026-01-01T00:00:0${index}.5Z ${text}`;
  }
}

const scene = (phase: string, marks = {}, pods: readonly Pod[] = []): LogScene => ({
  root,
  holder: version(1, { phase, ready: 0, spec, marks }),
  pods,
});
/** Time for what follows a scene to be printed. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const failed = {
  number: 1,
  pod: 'web-1-hook-pre',
  endedAtMs: Date.parse('2026-01-01T00:00:20Z'),
  exitCode: 1,
  reason: 'Error',
  tail: 'no table',
};
const succeeded = { number: 2, pod: 'web-1-hook-pre-2', endedAtMs: failed.endedAtMs, exitCode: 0 };
const pre = (status: string, number = 1): Pod => hookPod('web-1', 'pre', number, { phase: status });

describe('a follower', () => {
  test('goes from try to try and to the version’s end', async () => {
    const trial = new Trial({
      'web-1-hook-pre': ['migrating', 'no table'],
      'web-1-hook-pre-2': ['migrating', 'done'],
    });
    const following = trial.follow();
    trial.show({ root, holder: undefined, pods: [] });
    await settled();
    expect(trial.remarks).toEqual([]);
    trial.show(scene('New'));
    await settled();
    expect(trial.remarks).toEqual([`version 1 of ${ref}: nothing of that has begun yet`]);
    trial.show(scene('New', hookMarks('pre', 'Running', { ended: 0 }), [pre('Failed')]));
    await settled();
    expect(trial.out).toEqual(['[web-1-hook-pre] migrating', '[web-1-hook-pre] no table']);
    const retrying = hookMarks('pre', 'Pending', { ended: 1, tries: [failed] });
    trial.show(scene('New', retrying, [pre('Failed'), pre('Pending', 2)]));
    await settled();
    expect(trial.out).toHaveLength(2);
    const tries = [failed, succeeded];
    const over = hookMarks('pre', 'Succeeded', { ended: 2, tries });
    trial.show(scene('Complete', over, [pre('Failed'), pre('Succeeded', 2)]));
    expect(await following).toBe('complete');
    expect(trial.out.slice(2)).toEqual(['[web-1-hook-pre-2] migrating', '[web-1-hook-pre-2] done']);
    expect(trial.remarks.slice(1)).toEqual([
      'pod web-1-hook-pre failed',
      'pod web-1-hook-pre-2 succeeded with exit code 0',
      `version 1 of ${ref} is complete`,
    ]);
  });

  test('prints what is kept of a pod that is gone', async () => {
    const trial = new Trial();
    const following = trial.follow({ hook: 'pre', number: 1 });
    trial.show(scene('New', hookMarks('pre', 'Pending', { ended: 1, tries: [failed] })));
    expect(await following).toBe('failed');
    expect(trial.out).toEqual(['no table']);
    expect(trial.remarks).toEqual([
      'pod web-1-hook-pre is gone; it failed with exit code 1, and this is the end of its log:',
    ]);
  });

  test('reads a pod of whose end it has heard before it has heard of itself', async () => {
    const trial = new Trial({ 'web-1-hook-pre': ['migrating', 'no table'] });
    const following = trial.follow({ hook: 'pre', number: 1 });
    trial.show(scene('New', hookMarks('pre', 'Pending', { ended: 1, tries: [failed] })));
    expect(await following).toBe('failed');
    expect(trial.out).toEqual(['migrating', 'no table']);
  });

  test('waits for the end of a pod whose log can not be read', async () => {
    const trial = new Trial({ 'web-1-hook-pre': new ApiError(400, 'BadRequest', 'no node') });
    const following = trial.follow({ hook: 'pre', number: 1 });
    trial.show(scene('New', hookMarks('pre', 'Running', { ended: 0 }), [pre('Failed')]));
    expect(await following).toBe('failed');
    expect(trial.remarks[0]).toMatch(
      /^the log of pod web-1-hook-pre can't be read: no node; it failed/,
    );
  });

  test('waits to hear how a pod ended that was gone before', async () => {
    const trial = new Trial();
    const following = trial.follow({ hook: 'pre', number: 1 });
    trial.show(scene('New', hookMarks('pre', 'Running', { ended: 0 }), [pre('Running')]));
    await settled();
    expect(trial.remarks).toEqual(['pod web-1-hook-pre is gone']);
    trial.show(scene('New', hookMarks('pre', 'Running', { ended: 0 })));
    await settled();
    expect(trial.out).toEqual([]);
    trial.show(scene('New', hookMarks('pre', 'Pending', { ended: 1, tries: [failed] })));
    expect(await following).toBe('failed');
    expect(trial.out).toEqual(['no table']);
  });

  test('says why a pod does not start', async () => {
    const trial = new Trial();
    const following = trial.follow().catch((error: unknown) => error);
    const stuck = { ...pre('Pending'), status: { phase: 'Pending', reason: 'Unschedulable' } };
    trial.show(scene('New', hookMarks('pre', 'Pending', { ended: 0 }), [pre('Pending')]));
    await settled();
    expect(trial.remarks).toEqual([]);
    trial.show(scene('New', hookMarks('pre', 'Pending', { ended: 0 }), [stuck]));
    await settled();
    trial.stop();
    expect(await following).toMatchObject({ message: 'stopped' });
    expect(trial.remarks).toEqual(['pod web-1-hook-pre has not started (Unschedulable)']);
  });

  test('ends when what it follows is gone', async () => {
    const trial = new Trial();
    const following = trial.follow();
    trial.show(scene('New'));
    await settled();
    trial.show({ root, holder: undefined, pods: [] });
    expect(await following).toBe('failed');
    expect(trial.remarks.at(-1)).toBe(`version 1 of ${ref} is gone`);
  });

  test('refuses what can never come', async () => {
    const trial = new Trial();
    const following = trial.follow({ hook: 'mid' });
    const refused = expect(following).rejects.toThrow(/has no mid hook; it has pre, post/);
    trial.show(scene('New'));
    await refused;
  });
});

describe('without following', () => {
  const both = hookMarks('pre', 'Succeeded', { ended: 2, tries: [failed, succeeded] });

  test('what is there is printed, and what was kept', async () => {
    const trial = new Trial({ 'web-1-hook-pre-2': ['done'] });
    const pods = [pre('Succeeded', 2), hookPod('web-1', 'post', 1, { phase: 'Pending' })];
    expect(await printLogs(await trial.request(), scene('Running', both, pods))).toBe(true);
    expect(trial.out).toEqual(['[web-1-hook-pre] no table', '[web-1-hook-pre-2] done']);
    expect(trial.remarks.at(-1)).toBe('pod web-1-hook-post has not started');
  });

  test('a log that can not be read makes a difference', async () => {
    const trial = new Trial({ 'web-1-hook-pre-2': new ApiError(500, 'InternalError', 'no node') });
    const request = await trial.request();
    expect(await printLogs(request, scene('Running', both, [pre('Succeeded', 2)]))).toBe(false);
    expect(trial.remarks.at(-1)).toBe(
      "the log of pod web-1-hook-pre-2 can't be read: no node; it succeeded with exit code 0",
    );
  });

  test('nothing yet is no mistake', async () => {
    const trial = new Trial();
    expect(await printLogs(await trial.request(), scene('New'))).toBe(true);
    expect(trial.remarks).toEqual([
      `version 1 of ${ref}: nothing of that has begun yet; -f waits for it`,
    ]);
  });

  test('a version that is not made yet is', async () => {
    const request = await new Trial().request();
    await expect(printLogs(request, { root, holder: undefined, pods: [] })).rejects.toThrow(
      `version 1 of ${ref} is not there: there is no ReplicationController web-1`,
    );
  });
});
