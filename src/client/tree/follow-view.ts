import { LiveTrees } from './live-trees.js';
import type { Tree } from './tree.js';

/** Where the progress of one rollout or several is shown. */
export interface FollowView {
  /** Whether it shows whole trees, so that revisions and pods are worth watching. */
  readonly isLive: boolean;
  update(ref: string, tree: Tree, line: string): void;
  /** Trouble that may pass, and its end when left out. */
  setNote(ref: string, note?: string): void;
  remove(ref: string): void;
  /** A line that stays. */
  say(line: string): void;
  close(): void;
}

export function createFollowView(write: (line: string) => void, isLive: boolean): FollowView {
  return isLive ? new LiveView(new LiveTrees(process.stdout)) : new PlainView(write);
}

class LiveView implements FollowView {
  readonly isLive = true;
  private readonly trees = new Map<string, Tree>();

  constructor(private readonly live: LiveTrees) {}

  update(ref: string, tree: Tree): void {
    this.trees.set(ref, tree);
    this.live.show([...this.trees.values()]);
  }

  setNote(_ref: string, note?: string): void {
    this.live.setNote(note);
  }

  remove(ref: string): void {
    this.trees.delete(ref);
    this.live.show([...this.trees.values()]);
  }

  say(line: string): void {
    this.live.print(line);
  }

  close(): void {
    this.live.close();
  }
}

/** Lines for a pipe, each printed only when it says something new. */
export class PlainView implements FollowView {
  readonly isLive = false;
  private readonly printed = new Map<string, string>();

  constructor(private readonly write: (line: string) => void) {}

  update(ref: string, _tree: Tree, line: string): void {
    if (this.printed.get(ref) === line) return;
    this.printed.set(ref, line);
    this.write(line);
  }

  setNote(ref: string, note?: string): void {
    this.write(`${ref}: ${note ?? 'the cluster answers again'}`);
  }

  remove(ref: string): void {
    this.printed.delete(ref);
  }

  say(line: string): void {
    this.write(line);
  }

  close(): void {
    this.printed.clear();
  }
}
