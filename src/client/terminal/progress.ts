import { paintLine, span, type Line, type Tone } from '../output/line.js';
import { LiveScreen, type Terminal } from '../output/live-screen.js';
import { canRedraw, wantsColour } from '../output/terminal-abilities.js';

/** What is written to; `process.stderr` is one. */
export type ProgressStream = Terminal & { readonly isTTY?: boolean | undefined };

export interface Progress {
  /** Shows a step while it runs and how long it took. Steps may run side by side. */
  step<T>(title: string, work: (update: (detail: string) => void) => Promise<T>): Promise<T>;
  /** A line that stays. */
  note(line: string): void;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
/** In a pipe: a step that is quicker than this shows its end only. */
const announceAfterMs = 1_000;
/** In a pipe: how often a long step says that it is still under way. */
const remindEveryMs = 15_000;

interface Step {
  readonly title: string;
  readonly startedMs: number;
  detail: string;
}

type Outcome = 'done' | 'failed';

/** A live line per step in a terminal, plain lines in a pipe. */
export function createProgress(stream: ProgressStream): Progress {
  return canRedraw(stream) ? new LiveProgress(stream) : new PlainProgress(stream);
}

class LiveProgress implements Progress {
  private readonly steps = new Set<Step>();
  private readonly screen: LiveScreen;
  private readonly colour: boolean;
  private timer: NodeJS.Timeout | undefined;

  constructor(stream: ProgressStream) {
    this.colour = wantsColour(stream);
    this.screen = new LiveScreen(stream, this.colour);
  }

  async step<T>(title: string, work: (update: (detail: string) => void) => Promise<T>): Promise<T> {
    const step: Step = { title, startedMs: Date.now(), detail: '' };
    this.steps.add(step);
    this.timer ??= setInterval(() => {
      this.draw();
    }, frameMs).unref();
    this.draw();
    try {
      const result = await work((detail) => (step.detail = detail));
      this.end(step, 'done');
      return result;
    } catch (error) {
      this.end(step, 'failed');
      throw error;
    }
  }

  note(line: string): void {
    this.screen.print([line]);
    if (this.steps.size > 0) this.draw();
  }

  private end(step: Step, outcome: Outcome): void {
    this.steps.delete(step);
    this.note(paintLine(describeEnd(step, outcome), { colour: this.colour }));
    if (this.steps.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.screen.close();
  }

  private draw(): void {
    const nowMs = Date.now();
    this.screen.draw([...this.steps].map((step) => describeRunning(step, nowMs)));
  }
}

class PlainProgress implements Progress {
  constructor(private readonly stream: ProgressStream) {}

  async step<T>(title: string, work: (update: (detail: string) => void) => Promise<T>): Promise<T> {
    const step: Step = { title, startedMs: Date.now(), detail: '' };
    const announcement = setTimeout(() => {
      this.note(`… ${title}`);
    }, announceAfterMs).unref();
    const reminder = setInterval(() => {
      this.note(`… ${describeStep(step)} (${formatSeconds(Date.now() - step.startedMs)})`);
    }, remindEveryMs).unref();
    let outcome: Outcome = 'failed';
    try {
      const result = await work((detail) => (step.detail = detail));
      outcome = 'done';
      return result;
    } finally {
      clearTimeout(announcement);
      clearInterval(reminder);
      this.note(paintLine(describeEnd(step, outcome), { colour: false }));
    }
  }

  note(line: string): void {
    this.stream.write(`${line}\n`);
  }
}

const marks: Record<Outcome, { readonly text: string; readonly tone: Tone }> = {
  done: { text: '✓', tone: 'good' },
  failed: { text: '✗', tone: 'bad' },
};

function describeRunning(step: Step, nowMs: number): Line {
  const elapsedMs = nowMs - step.startedMs;
  const frame = frames[Math.floor(nowMs / frameMs) % frames.length] ?? '';
  return [
    span(frame, 'busy'),
    span(` ${step.title} `),
    span([formatSeconds(elapsedMs), step.detail].filter((text) => text !== '').join(', '), 'dim'),
  ];
}

function describeEnd(step: Step, outcome: Outcome): Line {
  return [
    marks[outcome],
    span(` ${step.title} `),
    span(`(${formatSeconds(Date.now() - step.startedMs)})`, 'dim'),
  ];
}

const describeStep = ({ title, detail }: Step): string =>
  detail === '' ? title : `${title}: ${detail}`;

/** Example: 0.4 s, 12 s, 3 min 5 s */
export function formatSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
