import type { Clock, Timer } from '@redrive/core';
import type { ControlView } from '../control/control-view.ts';
import type { Releaser } from '../control/releaser.ts';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { LoopRequests } from './loop-requests.ts';
import type { Notice } from './notice.ts';
import { type RescueParts, rescueExpired } from './rescue.ts';
import type { Sealer } from './sealer.ts';
import type { StoreContact, StoreTime } from './store-contact.ts';

/** Batches that one commit ends: others wait while their jobs are counted. */
const ENDS_AT_ONCE = 100;

interface UpkeepParts extends RescueParts {
  readonly store: FullStore;
  readonly actor: Actor;
  readonly notify: (notice: Notice) => void;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly time: StoreTime;
  readonly pollMs: number;
  readonly sweepMs: number;
  readonly requests: LoopRequests;
  readonly view: Pick<ControlView, 'revisionRead'>;
  readonly releaser: Releaser;
  readonly sealer: Sealer;
}

/**
 * The worker's regular tasks: wakes it when the next job is due, reads the store's pulse about once a second, because
 * notifications may get lost, and starts the rescue of expired leases and the sealing of the audit log.
 */
export class Upkeep {
  readonly #parts: UpkeepParts;
  #timer: Timer | undefined;
  #wakeAtMs = Infinity;
  #pulseAtMs = -Infinity;
  #dueAtMs = Infinity;
  #tickAtMs = Infinity;
  #rescueAtMs = -Infinity;
  #busy = false;
  #closed = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#arm();
  }

  /** A scheduled job is due after this delay; a claim will find it. */
  dueIn(delayMs: number): void {
    this.#dueAtMs = Math.min(this.#dueAtMs, this.#parts.clock.monotonic() + delayMs);
    this.#arm();
  }

  /** A parked job or a deadline is due after this delay. */
  tickIn(delayMs: number): void {
    this.#tickAtMs = Math.min(this.#tickAtMs, this.#parts.clock.monotonic() + delayMs);
    this.#arm();
  }

  /** Looks at the pulse now. */
  look(): void {
    this.#pulseAtMs = -Infinity;
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    if (this.#closed) return;
    const pulseAtMs = this.#busy ? Infinity : this.#pulseAtMs;
    const wakeAtMs = Math.min(pulseAtMs, this.#dueAtMs, this.#tickAtMs);
    if (this.#timer !== undefined && wakeAtMs === this.#wakeAtMs) return;
    this.#timer?.cancel();
    this.#wakeAtMs = wakeAtMs;
    const { clock } = this.#parts;
    const delayMs = Math.max(0, wakeAtMs - clock.monotonic());
    this.#timer = clock.setTimer(delayMs, () => this.#wake());
  }

  #wake(): void {
    const { clock, contact, pollMs, sweepMs, requests } = this.#parts;
    this.#timer = undefined;
    const nowMs = clock.monotonic();
    // A time that is not reached yet stays, and is armed again below.
    if (this.#tickAtMs <= nowMs) {
      this.#tickAtMs = Infinity;
      requests.expectTick();
    }
    if (this.#dueAtMs <= nowMs) {
      this.#dueAtMs = Infinity;
      requests.expectWork();
    }
    if (this.#pulseAtMs <= nowMs && !this.#busy) {
      this.#pulseAtMs = nowMs + Math.min(pollMs, sweepMs);
      if (contact.isOpen) void this.#pulse(nowMs);
    }
    this.#arm();
  }

  async #pulse(askedAtMs: number): Promise<void> {
    const { store, contact, time, handlers, requests, view, releaser, sealer } = this.#parts;
    this.#busy = true;
    // A worker that claims anyway need not know: behind many dead rows of a long transaction the look takes a second.
    const asked = requests.claimsAnyway ? [] : [...handlers.keys()];
    const pulse = await contact.askByTimer('read', () => store.pulse(asked));
    if (pulse !== undefined && !this.#closed) {
      time.observe(pulse.nowMs, askedAtMs);
      view.revisionRead(pulse.controlRevision, askedAtMs);
      if (pulse.ready) requests.expectWork();
      if (pulse.nextDueInMs === 0) requests.expectTick();
      else if (pulse.nextDueInMs !== undefined) this.tickIn(pulse.nextDueInMs);
      // Parked jobs have due times too.
      if (pulse.nextDueInMs !== undefined) releaser.mayBeParked();
      if (pulse.unsealed) sealer.wanted();
      if (pulse.batchEnds) await this.#endBatches();
      if (pulse.expiredLeases) await this.#rescue(askedAtMs);
    }
    this.#notifySetAside();
    this.#busy = false;
    this.#arm();
  }

  /** The jobs that follow are enqueued in the transaction that ends their batches. */
  async #endBatches(): Promise<void> {
    const { store, contact, actor } = this.#parts;
    const command = { kind: 'end_batches', limit: ENDS_AT_ONCE, actor } as const;
    await contact.askByTimer('batches', () => store.apply([command]));
  }

  /** Reports the jobs that could not be read since the last pulse. */
  #notifySetAside(): void {
    const { store, notify } = this.#parts;
    for (const { id: jobId, problem } of store.takeSetAside()) {
      notify({ kind: 'job_set_aside', jobId, problem });
    }
  }

  async #rescue(nowMs: number): Promise<void> {
    const { contact, time, sweepMs } = this.#parts;
    if (nowMs < this.#rescueAtMs) return;
    this.#rescueAtMs = nowMs + sweepMs;
    let more: boolean | undefined = true;
    while (more && !this.#closed) {
      more = await contact.askByTimer('rescue', () => rescueExpired(this.#parts, time.nowMs()));
    }
  }
}
