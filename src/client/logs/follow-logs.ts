import { badInput } from '../failure.js';
import type { FollowEnd } from '../follower.js';
import { pause } from '../pause.js';
import { LogPrinter } from './log-printer.js';
import {
  describeSelectionEnd,
  findFault,
  judgeSelection,
  needsPrefix,
  selectSources,
  type LogPicture,
} from './log-selection.js';
import { notStarted, type LogSource } from './log-source.js';
import { buildPicture, type LogScene } from './log-target.js';
import { explainOutcome, tellRemark, type LogsRequest } from './print-logs.js';
import { readLog } from './read-log.js';
import type { WatchedScene } from './watch-scene.js';

/** How long a pod that is gone is waited for to be told of. */
const noteWithinMs = 3_000;

/**
 * Prints logs as they are written, one pod after another, from try to try and from hook to hook, until what is
 * wanted is over; tells how it ended.
 */
export class LogFollower {
  private readonly printed = new Set<string>();
  /** Pods of whose end everything was said. */
  private readonly told = new Set<string>();
  private printer: LogPrinter | undefined;
  private wasThere = false;

  constructor(
    private readonly request: LogsRequest,
    private readonly scene: WatchedScene,
  ) {}

  async run(): Promise<FollowEnd> {
    const { signal, selection } = this.request;
    while (true) {
      signal.throwIfAborted();
      const picture = this.look();
      if (picture === 'gone') {
        this.request.printing.remark(`${this.request.target.title} is gone`);
        return 'failed';
      }
      if (picture !== undefined) {
        const printer = this.printerFor(picture);
        const sources = selectSources(picture, selection);
        this.tellEnds(printer, sources);
        const next = sources.find(({ pod }) => !this.printed.has(pod));
        if (next !== undefined && next.state !== 'Waiting') {
          await this.print(printer, next);
          this.printed.add(next.pod);
          continue;
        }
        const end = next === undefined ? judgeSelection(picture, selection) : undefined;
        if (end !== undefined) {
          const sentence = describeSelectionEnd(picture, selection, end);
          if (sentence !== undefined) printer.remark(sentence);
          return end;
        }
        this.tellDelay(printer, picture, next);
      }
      await this.scene.change();
    }
  }

  private look(): LogPicture | 'gone' | undefined {
    const { current } = this.scene;
    const picture = current === undefined ? undefined : this.build(current);
    if (picture !== undefined) this.wasThere = true;
    else if (current !== undefined && (this.wasThere || current.root === undefined)) return 'gone';
    return picture;
  }

  private build(scene: LogScene): LogPicture | undefined {
    return buildPicture(this.request.target, scene);
  }

  /** Made at the first sight: what is wanted must be possible then, and looks the same from then on. */
  private printerFor(picture: LogPicture): LogPrinter {
    if (this.printer !== undefined) return this.printer;
    const { selection, printing } = this.request;
    const fault = findFault(picture, selection, true);
    if (fault !== undefined) throw badInput(fault);
    this.printer = new LogPrinter(printing, needsPrefix(picture, selection, true));
    return this.printer;
  }

  private tellEnds(printer: LogPrinter, sources: readonly LogSource[]): void {
    for (const { pod, state, words } of sources) {
      if (!this.printed.has(pod) || this.told.has(pod) || state !== 'Ended') continue;
      this.told.add(pod);
      printer.remark(`pod ${pod} ${words}`);
    }
  }

  /** What is waited for, where that is not a matter of a moment. */
  private tellDelay(printer: LogPrinter, { title }: LogPicture, next: LogSource | undefined): void {
    if (next !== undefined) {
      if (next.words !== notStarted) printer.remark(`pod ${next.pod} ${next.words}`);
    } else if (this.printed.size === 0) printer.remark(`${title}: nothing of that has begun yet`);
  }

  private async print(printer: LogPrinter, source: LogSource): Promise<void> {
    const { client, target, tail, signal } = this.request;
    const { pod, container } = source;
    // One that is said to be gone may be one of which we have not heard yet, so it is asked for all the same.
    const ended = this.scene.when((scene) => this.find(scene, pod)?.state !== 'Running');
    try {
      const request = { client, namespace: target.namespace, pod, container, tail, signal };
      const outcome = await readLog({ ...request, ended: ended.signal }, (line) =>
        printer.print(source, line),
      );
      if (outcome.kind === 'read') {
        tellRemark(printer, pod, outcome);
        return;
      }
      const why = explainOutcome(pod, outcome);
      // What is kept of it is only known once it has ended.
      if (!ended.signal.aborted) printer.remark(why);
      this.told.add(pod);
      await printer.printTail(await this.untilEnded(source), why);
    } finally {
      ended.stop();
    }
  }

  /** A pod may be gone a moment before we hear how it ended. */
  private async untilEnded(source: LogSource): Promise<LogSource> {
    const { signal } = this.request;
    const untilMs = Date.now() + noteWithinMs;
    while (true) {
      signal.throwIfAborted();
      const { current } = this.scene;
      const found = current === undefined ? undefined : this.find(current, source.pod);
      if (found?.state === 'Ended') return found;
      const leftMs = found === undefined ? untilMs - Date.now() : Infinity;
      if (leftMs <= 0) return { ...source, words: 'has left nothing else' };
      const change = this.scene.change();
      await (leftMs === Infinity ? change : Promise.race([change, pause(leftMs, signal)]));
    }
  }

  private find(scene: LogScene, pod: string): LogSource | undefined {
    return this.build(scene)?.sources.find((source) => source.pod === pod);
  }
}
