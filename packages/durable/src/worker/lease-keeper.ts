import type { Clock, Timer } from '@redrive/core';
import { BEATS_PER_LEASE } from '../handler/resolve-handlers.ts';
import type { Store } from '../store/store.ts';
import type { HeldJob } from './held-job.ts';
import type { Interruptions } from './interruptions.ts';
import type { Notice } from './notice.ts';

/** After a heartbeat that failed, the next one comes sooner. */
const HURRIED_BEATS_PER_LEASE = 12;

interface LeaseKeeperParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly held: ReadonlySet<HeldJob>;
  readonly notify: (notice: Notice) => void;
  readonly interruptions: Interruptions;
}

/**
 * Keeps the leases of everything that this process holds, on a timer of its own and by the store's own path, so that no
 * amount of work delays it. A lease counts as lost when no heartbeat was confirmed for its whole length, by the monotonic
 * clock and from the moment when the last confirmed one was sent.
 */
export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  #timer: Timer | undefined;
  #nextBeatMs = 0;
  /** Heartbeats that are not answered yet. */
  #underWay = 0;
  #closed = false;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
  }

  /** Something is held. */
  watch(): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#nextBeatMs = this.#parts.clock.monotonic() + this.#parts.leaseMs / BEATS_PER_LEASE;
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const { clock, held } = this.#parts;
    let wakeAtMs = this.#nextBeatMs;
    for (const each of held) {
      if (isAtStake(each)) wakeAtMs = Math.min(wakeAtMs, each.safeUntilMs);
    }
    const delayMs = Math.max(0, wakeAtMs - clock.monotonic());
    this.#timer = clock.setTimer(delayMs, () => this.#wake());
  }

  #wake(): void {
    const { clock, held, interruptions } = this.#parts;
    this.#timer = undefined;
    const nowMs = clock.monotonic();
    for (const each of held) {
      if (each.safeUntilMs <= nowMs && isAtStake(each)) interruptions.lost(each, false);
    }
    if (nowMs >= this.#nextBeatMs) {
      const everyMs = this.#parts.leaseMs / BEATS_PER_LEASE;
      this.#nextBeatMs = nowMs + everyMs;
      for (const each of held) this.#lookForStall(each, nowMs);
      // Jobs that have waited here for long: another worker may have room for them.
      interruptions.giveBack(({ claimedAtMs }) => claimedAtMs <= nowMs - everyMs);
      // A store may take longer to give up a call than a lease lasts: one that is stuck must not hold up the next.
      if (this.#underWay < BEATS_PER_LEASE) void this.#beat(nowMs);
    }
    if (held.size > 0) this.#arm();
  }

  /** Only where its handler says after which time: looking at the reports makes them. */
  #lookForStall(held: HeldJob, nowMs: number): void {
    const { stallAfterMs } = held.lane.handler;
    if (stallAfterMs === Infinity || held.phase !== 'running') return;
    const forMs = nowMs - held.reports.movedAtMs;
    if (forMs < stallAfterMs) held.stalledSinceMs = undefined;
    else if (held.stalledSinceMs === undefined) this.#parts.interruptions.stalled(held, forMs);
  }

  async #beat(sentAtMs: number): Promise<void> {
    const { store, held, leaseMs, notify, interruptions } = this.#parts;
    const alive = [...held].filter(({ isLost }) => !isLost);
    if (alive.length === 0) return;
    this.#underWay += 1;
    try {
      const leases = alive.map(({ leaseRef }) => leaseRef);
      const answers = await store.heartbeat(leases, leaseMs);
      for (const [index, each] of alive.entries()) {
        if (answers[index] === 'lost') {
          if (held.has(each)) interruptions.lost(each, true);
          continue;
        }
        if (answers[index] === 'busy') {
          this.#hurry();
          continue;
        }
        each.safeUntilMs = Math.max(each.safeUntilMs, sentAtMs + leaseMs);
        const progress = leases[index]?.progress;
        if (progress !== undefined) each.reports.stored(progress);
        if (answers[index] === 'cancel' && held.has(each)) interruptions.cancel(each);
      }
    } catch (error) {
      notify({ kind: 'store_unavailable', error, retryInMs: this.#hurry() });
    } finally {
      this.#underWay -= 1;
    }
  }

  /** The next one comes sooner: some leases were not extended. Answers how soon. */
  #hurry(): number {
    const retryInMs = this.#parts.leaseMs / HURRIED_BEATS_PER_LEASE;
    this.#nextBeatMs = Math.min(this.#nextBeatMs, this.#parts.clock.monotonic() + retryInMs);
    if (this.#timer !== undefined) {
      this.#timer.cancel();
      this.#arm();
    }
    return retryInMs;
  }
}

/** Whether the loss of its lease must be reported. A finished attempt is settled instead, where that is still possible. */
function isAtStake({ isLost, phase }: HeldJob): boolean {
  return !isLost && phase !== 'finished';
}
