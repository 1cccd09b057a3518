export interface QueuedCheck {
  readonly id: string;
  /** The registry that is asked. */
  readonly host: string;
  /** Goes before all others. */
  readonly isUrgent: boolean;
}

export interface CheckLimits {
  readonly total: number;
  readonly perHost: number;
  /** How many urgent ones may run beyond that, for each of the two. */
  readonly reserve: number;
}

export const usualLimits: CheckLimits = { total: 16, perHost: 4, reserve: 4 };

/**
 * Runs checks, so many at a time in all and for each registry. A registry that does not answer has one
 * place only until it does: it must not take those of others while it is waited for.
 */
export class CheckQueue {
  private readonly waiting = new Map<string, QueuedCheck>();
  private readonly running = new Map<string, number>();
  private readonly silentHosts = new Set<string>();

  constructor(
    /** Resolves to whether the registry has answered, if it was asked. Never rejects. */
    private readonly run: (id: string) => Promise<boolean | undefined>,
    private readonly limits: CheckLimits = usualLimits,
  ) {}

  add(check: QueuedCheck): void {
    const before = this.waiting.get(check.id);
    const isUrgent = check.isUrgent || before?.isUrgent === true;
    this.waiting.set(check.id, { ...check, isUrgent });
    this.startNext();
  }

  remove(id: string): void {
    this.waiting.delete(id);
  }

  clear(): void {
    this.waiting.clear();
  }

  private startNext(): void {
    const waiting = [...this.waiting.values()];
    const inOrder = [
      ...waiting.filter(({ isUrgent }) => isUrgent),
      ...waiting.filter(({ isUrgent }) => !isUrgent),
    ];
    for (const check of inOrder) if (this.hasRoom(check)) this.start(check);
  }

  private hasRoom({ host, isUrgent }: QueuedCheck): boolean {
    const { total, perHost, reserve } = this.limits;
    const extra = isUrgent ? reserve : 0;
    const places = this.silentHosts.has(host) ? 1 : perHost;
    const all = [...this.running.values()].reduce((sum, count) => sum + count, 0);
    return all < total + extra && (this.running.get(host) ?? 0) < places + extra;
  }

  private start({ id, host }: QueuedCheck): void {
    this.waiting.delete(id);
    this.running.set(host, (this.running.get(host) ?? 0) + 1);
    void this.run(id).then((hasAnswered) => {
      if (hasAnswered === true) this.silentHosts.delete(host);
      if (hasAnswered === false) this.silentHosts.add(host);
      const left = (this.running.get(host) ?? 1) - 1;
      if (left === 0) this.running.delete(host);
      else this.running.set(host, left);
      this.startNext();
    });
  }
}
