import type { Clock, Timer } from '@redrive/core';
import { sessionRandom } from '@redrive/core/stored';
import type { FullStore } from '../store/full-store.ts';
import type { StoreTime } from '../worker/store-contact.ts';
import type { ControlCommand } from './control-store.ts';
import type { ControlView } from './control-view.ts';
import { type ClosedGate, closeGate, gateKey } from './rules/documents.ts';

/** Least time between two writes: the hints of many answers go into one. */
const GAP_MS = 50;
/** Wait after a failed write. */
const AGAIN_MS = 1_000;
/** A gate is listed this long after its end; then any process deletes its document. */
export const GATE_KEPT_MS = 60_000;
const SPREAD_MS = 10_000;
/** Deleted at once at most: every process is notified of each change. */
const SWEEP_LIMIT = 50;
/** Wait between two deletions while there are more. */
const SWEEP_GAP_MS = 500;

export type GateName = Pick<ClosedGate, 'dependency' | 'credential' | 'tenant'>;

export interface ClosedGatesParts {
  readonly store: Pick<FullStore, 'apply'>;
  readonly view: Pick<ControlView, 'of' | 'get' | 'update' | 'onChange'>;
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly worker: string;
  /** The longest time for which a hint closes a gate. */
  readonly maxGateMs: number;
}

/**
 * The gates that are closed by a Retry-After. A gate that closes here applies to this process at once. It is written to the
 * store in the background, and then applies to all processes.
 */
export class ClosedGates {
  readonly #parts: ClosedGatesParts;
  /** Closed here, and not yet in the store. */
  readonly #unwritten = new Map<string, ClosedGate>();
  readonly #writing = new Set<string>();
  readonly #timers = new Set<Timer>();
  #sweepTimer: Timer | undefined;
  /** Dependencies with a gate: only for these is the credential needed. `undefined`: not computed yet. */
  #dependencies: Set<string> | undefined;
  #closed = false;

  constructor(parts: ClosedGatesParts) {
    this.#parts = parts;
    parts.view.onChange(() => this.#look());
  }

  /** Whether this dependency has a gate, closed or passed. */
  hasAny(dependency: string): boolean {
    this.#dependencies ??= this.#named();
    return this.#dependencies.has(dependency);
  }

  isClosed(key: string): boolean {
    const gate = this.#known(key);
    // Never later than the store's own time: nothing starts too early.
    return gate !== undefined && gate.untilMs > this.#parts.time.nowMs();
  }

  /** A dependency has named a time before which it wants no further call. */
  hint(name: GateName, hintMs: number): void {
    if (!(hintMs > 0) || this.#closed) return;
    const { time, maxGateMs } = this.#parts;
    const key = gateKey(name);
    const known = this.#known(key);
    // Never earlier than the store's own time: the gate is not too short.
    const nowMs = time.latestMs();
    const gate = closeGate(known, hintMs, nowMs, maxGateMs);
    // A gate that is as strict is closed already, or gates are switched off.
    if (gate.untilMs <= (known?.untilMs ?? nowMs)) return;
    const { dependency, credential, tenant } = name;
    this.#unwritten.set(key, { ...gate, dependency, credential, tenant });
    this.#dependencies?.add(dependency);
    void this.#write(key);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#sweepTimer?.cancel();
  }

  /** The strictest one. */
  #known(key: string): ClosedGate | undefined {
    const own = this.#unwritten.get(key);
    const seen = this.#parts.view.get('gate', key)?.document;
    if (own === undefined || seen === undefined) return own ?? seen;
    return own.untilMs > seen.untilMs ? own : seen;
  }

  async #write(key: string): Promise<void> {
    if (this.#writing.has(key)) return;
    this.#writing.add(key);
    let waitMs = GAP_MS;
    try {
      const { after } = await this.#parts.view.update({
        of: 'gate',
        key,
        next: (current) => {
          const own = this.#unwritten.get(key);
          return own === undefined || own.untilMs <= (current?.untilMs ?? 0) ? undefined : own;
        },
        note: (before, gate) => this.#noteOf(before, gate),
      });
      const left = this.#unwritten.get(key);
      if (left !== undefined && left.untilMs <= (after?.untilMs ?? 0)) this.#unwritten.delete(key);
    } catch {
      // It still applies here. The parts that cannot work without the store report that it is away.
      waitMs = AGAIN_MS;
    }
    this.#in(waitMs, () => {
      this.#writing.delete(key);
      this.#writeAgain(key);
    });
  }

  #writeAgain(key: string): void {
    const left = this.#unwritten.get(key);
    if (left === undefined) return;
    if (left.untilMs > this.#parts.time.nowMs()) void this.#write(key);
    else this.#unwritten.delete(key);
  }

  /** The closing is worth a record, a longer time is not. */
  #noteOf(before: ClosedGate | undefined, gate: ClosedGate | null): object | undefined {
    const { worker, time } = this.#parts;
    if (gate === null || (before !== undefined && before.untilMs > time.nowMs())) return undefined;
    return { by: `worker:${worker}`, act: 'close', untilMs: gate.untilMs, cut: gate.cut };
  }

  #look(): void {
    this.#dependencies = undefined;
    if (this.#sweepTimer !== undefined || this.#parts.view.of('gate').size === 0) return;
    this.#sweepIn(GATE_KEPT_MS + SPREAD_MS * sessionRandom(this.#parts.worker, 1));
  }

  #named(): Set<string> {
    const names = new Set<string>();
    for (const { document } of this.#parts.view.of('gate').values()) names.add(document.dependency);
    for (const { dependency } of this.#unwritten.values()) names.add(dependency);
    return names;
  }

  #sweepIn(delayMs: number): void {
    if (this.#closed) return;
    this.#sweepTimer = this.#parts.clock.setTimer(delayMs, async () => {
      const more = await this.#sweep();
      this.#sweepTimer = undefined;
      if (more) this.#sweepIn(SWEEP_GAP_MS);
      else this.#look();
    });
    this.#sweepTimer.hold(false);
  }

  /** Not through the view, which would call its listeners for every one. Returns whether there are more. */
  async #sweep(): Promise<boolean> {
    const { view, time, store } = this.#parts;
    const overMs = time.nowMs() - GATE_KEPT_MS;
    const over: ControlCommand[] = [];
    for (const [key, { document, revision }] of view.of('gate')) {
      if (document.untilMs > overMs || revision === 0) continue;
      over.push({ kind: 'control', of: 'gate', key, expect: revision });
      if (over.length > SWEEP_LIMIT) break;
    }
    if (over.length === 0) return false;
    try {
      await store.apply(over.slice(0, SWEEP_LIMIT));
      return over.length > SWEEP_LIMIT;
    } catch {
      return false; // There is another time.
    }
  }

  #in(delayMs: number, then: () => void): void {
    if (this.#closed) return;
    const timer = this.#parts.clock.setTimer(delayMs, () => {
      this.#timers.delete(timer);
      then();
    });
    timer.hold(false);
    this.#timers.add(timer);
  }
}
