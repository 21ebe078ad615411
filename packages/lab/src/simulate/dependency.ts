import type { Classification } from '@redrive/core';
import { Draws } from '../chance/draws.ts';
import { mixtureOf, type Sampler, samplerOf } from '../chance/spread.ts';
import type { DependencyModel, Outage } from '../scene/scene.ts';

const REFUSED: Classification = {
  errorClass: 'retryable',
  effect: 'none',
  retryAfterMs: undefined,
};
const TIMED_OUT: Classification = {
  errorClass: 'retryable',
  effect: 'unknown',
  retryAfterMs: undefined,
};
/** Others' calls are counted in this time after the last outage. */
const OTHERS_WINDOW_MS = 120_000;

/**
 * A server with one queue. It serves calls in their order, so the end of a call is known when the call begins, and the
 * queue needs no events.
 */
export class Dependency {
  /** The answer of the last `call`: its time, and the failure, if it is one. */
  endMs = 0;
  failure: Classification | undefined;
  callsWhileDown = 0;
  othersAfter = { calls: 0, succeeded: 0 };
  readonly outages: readonly Outage[];
  readonly #model: DependencyModel;
  readonly #serviceMs: number;
  readonly #latency: Sampler;
  readonly #latencies: Draws;
  readonly #errors: Draws;
  readonly #failures: readonly { readonly below: number; readonly failure: Classification }[];
  readonly #lastOutageEndMs: number;
  /** When the last call of the queue is carried out. */
  #busyUntilMs = 0;
  #nextOtherMs = 0;
  /** The first outage that is not over, and the first of them that refuses. */
  #outage = 0;
  #refusal = 0;

  constructor(model: DependencyModel, seed: number, horizonMs: number) {
    this.#model = model;
    this.#serviceMs = 1_000 / model.capacityPerSecond;
    this.#latency = samplerOf(model.latency);
    this.#latencies = new Draws(seed, STREAMS.latency);
    this.#errors = new Draws(seed, STREAMS.errors);
    let below = 0;
    this.#failures = model.errors.map(({ share, errorClass, retryAfterMs }) => {
      below += share;
      return { below, failure: { errorClass, effect: 'unknown', retryAfterMs } };
    });
    this.outages = outagesOf(model, seed, horizonMs);
    this.#lastOutageEndMs = this.outages.at(-1)?.untilMs ?? Infinity;
    if (model.others === undefined) this.#nextOtherMs = Infinity;
  }

  /** Begins a call that its caller waits for until `nowMs + limitMs`. The answer is in `endMs` and `failure`. */
  call(nowMs: number, limitMs: number): void {
    this.catchUp(nowMs);
    if (this.#outageAt(nowMs) !== undefined) this.callsWhileDown += 1;
    this.#enter(nowMs, limitMs);
  }

  /** Others call all the time. */
  catchUp(nowMs: number): void {
    const { others } = this.#model;
    if (others === undefined) return;
    for (; this.#nextOtherMs <= nowMs; this.#nextOtherMs += 1_000 / others.perSecond) {
      const atMs = this.#nextOtherMs;
      this.#enter(atMs, others.timeoutMs);
      const afterMs = atMs - this.#lastOutageEndMs;
      if (afterMs < 0 || afterMs >= OTHERS_WINDOW_MS) continue;
      this.othersAfter.calls += 1;
      if (this.failure === undefined) this.othersAfter.succeeded += 1;
    }
  }

  #enter(nowMs: number, limitMs: number): void {
    const outage = this.#outageAt(nowMs);
    const latencyMs = this.#latency(this.#latencies.next());
    if (outage?.kind === 'refuses') {
      this.#answer(nowMs + Math.min(latencyMs, limitMs), REFUSED);
      return;
    }
    const startMs = this.#freeAtMs(Math.max(this.#busyUntilMs, nowMs));
    if (this.#model.expired === 'executed' || startMs - nowMs < limitMs)
      this.#busyUntilMs = startMs + this.#serviceMs;
    const endMs = startMs + this.#serviceMs + latencyMs;
    const cutMs = this.#nextRefusalMs();
    if (endMs - nowMs > limitMs && nowMs + limitMs <= cutMs) {
      this.#answer(nowMs + limitMs, TIMED_OUT);
      return;
    }
    if (endMs > cutMs) {
      this.#answer(cutMs, TIMED_OUT);
      return;
    }
    this.#answer(endMs, this.#failures.length === 0 ? undefined : this.#error());
  }

  #answer(endMs: number, failure: Classification | undefined): void {
    this.endMs = endMs;
    this.failure = failure;
  }

  #error(): Classification | undefined {
    const uniform = this.#errors.next();
    return this.#failures.find(({ below }) => uniform < below)?.failure;
  }

  /** The outage at this time. Time only rises from call to call. */
  #outageAt(nowMs: number): Outage | undefined {
    let outage = this.outages[this.#outage];
    while (outage !== undefined && outage.untilMs <= nowMs) {
      // A server that refuses has lost its queue.
      if (outage.kind === 'refuses')
        this.#busyUntilMs = Math.min(this.#busyUntilMs, outage.untilMs);
      this.#outage += 1;
      outage = this.outages[this.#outage];
    }
    return outage !== undefined && outage.fromMs <= nowMs ? outage : undefined;
  }

  /** The first time from then on at which it does not stall. */
  #freeAtMs(atMs: number): number {
    let freeMs = atMs;
    for (let n = this.#outage; n < this.outages.length; n += 1) {
      const outage = this.outages[n];
      if (outage === undefined || outage.fromMs > freeMs) break;
      if (outage.kind === 'stalls') freeMs = Math.max(freeMs, outage.untilMs);
    }
    return freeMs;
  }

  /** A call that is under way then is lost. */
  #nextRefusalMs(): number {
    this.#refusal = Math.max(this.#refusal, this.#outage);
    while (this.outages[this.#refusal]?.kind === 'stalls') this.#refusal += 1;
    return this.outages[this.#refusal]?.fromMs ?? Infinity;
  }
}

/** The numbers of each part of a simulation. */
export const STREAMS = { arrivals: 1, processes: 2, latency: 3, errors: 4, outages: 5 } as const;

function outagesOf(
  { outages }: DependencyModel,
  seed: number,
  horizonMs: number,
): readonly Outage[] {
  if (outages.kind === 'listed') return outages.outages;
  const draws = new Draws(seed, STREAMS.outages);
  const gap = samplerOf({ kind: 'exponential', meanMs: outages.everyMs });
  const lasts = mixtureOf(
    outages.lasts.map(({ share, spread }) => ({ share, sampler: samplerOf(spread) })),
  );
  const drawn: Outage[] = [];
  let untilMs = 0;
  for (;;) {
    const fromMs = untilMs + gap(draws.next());
    if (fromMs >= horizonMs) return drawn;
    untilMs = fromMs + lasts(draws.next(), draws.next());
    drawn.push({ fromMs, untilMs, kind: outages.outage });
  }
}
