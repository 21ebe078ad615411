import type { ErrorClass } from '@redrive/core';
import type { Attempt, Attempts } from '../recording/attempts.ts';

/** A time in which every attempt of every session at a dependency failed. */
export interface Outage extends Failure {
  readonly fromMs: number;
  /** `Infinity`: it lasts until the recording ends. */
  readonly toMs: number;
  /** The last attempt that failed, and the first that succeeded: it ended between them. */
  readonly lastFailedMs: number;
  readonly succeededMs: number;
  /** When its first attempts failed, at most `MAX_FAILURES` of them: a breaker opens after its threshold. */
  readonly failedMs: readonly number[];
  /** When an open breaker first kept a session back. `Infinity`: none did. */
  readonly blockedMs: number;
}

/** How attempts fail. */
interface Failure {
  readonly errorClass: ErrorClass;
  readonly errorType: string | undefined;
  /** The dependency asked callers to wait until then. 0: it did not. */
  readonly hintUntilMs: number;
}

/** A failure of one session while others succeeded. */
export interface OwnFailure extends Failure {
  readonly fromMs: number;
  readonly lastMs: number;
  /** The session's first success after it. `Infinity`: none. */
  readonly succeededMs: number;
  /** From then on its error is final. `Infinity`: it never was. */
  readonly finalMs: number;
}

/** A session that begins: its first attempt, or the first one after a requeue; or its first wait for an open breaker. */
export interface Arrival {
  readonly session: number;
  readonly group: number;
  readonly atMs: number;
  readonly isSuccess: boolean;
}

/** The outages and failures of one dependency that a recording shows. */
export interface World {
  readonly dependency: string;
  readonly outages: readonly Outage[];
  readonly own: ReadonlyMap<number, OwnFailure>;
  readonly arrivals: readonly Arrival[];
  /** 95th percentile of the time between attempts; while a breaker is open, between its probes. */
  readonly gapMs: number;
  readonly attempts: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** One world per dependency. */
export function worldsOf(attempts: Attempts): World[] {
  const makers = new Map<string, WorldMaker>();
  for (let at = 0; at < attempts.size; at += 1) {
    const { dependency } = attempts.groupOf(at);
    let maker = makers.get(dependency);
    if (maker === undefined) {
      maker = new WorldMaker(dependency);
      makers.set(dependency, maker);
    }
    maker.take(attempts, at);
  }
  return [...makers.values()].map((maker) => maker.end());
}

interface Run extends Failure {
  readonly fromMs: number;
  lastMs: number;
  /** -1: of several sessions. */
  session: number;
  readonly failedMs: number[];
  blockedMs: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class WorldMaker {
  readonly #dependency: string;
  readonly #outages: Outage[] = [];
  readonly #own = new Map<number, Mutable<OwnFailure>>();
  readonly #arrivals: Arrival[] = [];
  readonly #generations = new Map<number, number>();
  /** Sessions of which no attempt has run, and that have not arrived: every claim counts, also one that was blocked. */
  readonly #claimed = new Set<number>();
  readonly #between = new Sample();
  readonly #betweenProbes = new Sample();
  #attempts = 0;
  #fromMs = 0;
  #lastMs = Number.NaN;
  #lastProbeMs = Number.NaN;
  #upMs = Number.NEGATIVE_INFINITY;
  #run: Run | undefined;

  constructor(dependency: string) {
    this.#dependency = dependency;
  }

  take(attempts: Attempts, at: number): void {
    const one = attempts.at(at);
    const { session, endMs, outcome } = one;
    if (one.outcome === 'not_run' || one.errorClass === 'ignored') {
      const arrival = { session, group: one.group, atMs: endMs, isSuccess: false };
      if (one.reason === 'breaker_open') this.#block(one, arrival);
      else if (one.attempt === 1) this.#claimed.add(session);
      return;
    }
    if (this.#attempts === 0) this.#fromMs = endMs;
    this.#attempts += 1;
    this.#between.add(endMs - this.#lastMs);
    this.#lastMs = endMs;
    if (one.probe) {
      this.#betweenProbes.add(endMs - this.#lastProbeMs);
      this.#lastProbeMs = endMs;
    }
    const isSuccess = outcome === 'succeeded';
    this.#arrive(session, one.generation, one.attempt, {
      session,
      group: one.group,
      atMs: endMs,
      isSuccess,
    });
    const failure: Failure = {
      errorClass: one.errorClass ?? 'retryable',
      errorType: one.errorType,
      hintUntilMs: one.hintMs === undefined ? 0 : endMs + one.hintMs,
    };
    if (isSuccess) this.#succeed(session, endMs);
    else if (failure.errorClass === 'final') this.#failFinally(session, endMs, failure);
    // A lost lease is the end of a process: it says nothing about the dependency.
    else if (outcome === 'lost') this.#failOwn(session, endMs, endMs, failure);
    else this.#fail(session, endMs, failure);
  }

  end(): World {
    this.#closeRun(Number.POSITIVE_INFINITY);
    const probes = this.#betweenProbes;
    return {
      dependency: this.#dependency,
      outages: this.#outages,
      own: this.#own,
      arrivals: this.#arrivals,
      gapMs: Math.max(this.#between.at(GAP_SHARE), probes.size < 5 ? 0 : probes.at(GAP_SHARE)),
      attempts: this.#attempts,
      fromMs: this.#fromMs,
      toMs: Number.isNaN(this.#lastMs) ? 0 : this.#lastMs,
    };
  }

  /** While the breaker is open nobody tries: without it, the session would have made its attempt. */
  #block({ session, generation, attempt, endMs }: Attempt, arrival: Arrival): void {
    this.#arrive(session, generation, attempt, arrival);
    if (this.#run !== undefined) this.#run.blockedMs = Math.min(this.#run.blockedMs, endMs);
  }

  #arrive(session: number, generation: number, attempt: number, arrival: Arrival): void {
    const before = this.#generations.get(session) ?? 1;
    if (generation > before) this.#generations.set(session, generation);
    const isFirst = attempt === 1 || this.#claimed.delete(session);
    if (isFirst || generation > before) this.#arrivals.push(arrival);
  }

  #succeed(session: number, atMs: number): void {
    this.#beUp(atMs);
    const own = this.#own.get(session);
    if (own !== undefined && own.succeededMs === Number.POSITIVE_INFINITY) own.succeededMs = atMs;
  }

  /** A final error is an answer: the dependency is up. */
  #failFinally(session: number, atMs: number, failure: Failure): void {
    this.#beUp(atMs);
    this.#failOwn(session, atMs, atMs, failure).finalMs = atMs;
  }

  #beUp(atMs: number): void {
    this.#closeRun(atMs);
    this.#upMs = atMs;
    // The time until the next outage is not a time between probes.
    this.#lastProbeMs = Number.NaN;
  }

  #fail(session: number, atMs: number, failure: Failure): void {
    const run = this.#run;
    if (run === undefined) {
      const blockedMs = Number.POSITIVE_INFINITY;
      const failedMs = [atMs];
      this.#run = { ...failure, fromMs: atMs, lastMs: atMs, session, failedMs, blockedMs };
      return;
    }
    run.lastMs = atMs;
    if (run.failedMs.length < MAX_FAILURES) run.failedMs.push(atMs);
    if (run.session !== session) run.session = -1;
  }

  /** Several sessions that failed one after the other, without a success between them, met an outage. */
  #closeRun(succeededMs: number): void {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined) return;
    const { session, fromMs, lastMs, failedMs, blockedMs, ...failure } = run;
    if (session >= 0) {
      this.#failOwn(session, fromMs, lastMs, failure);
      return;
    }
    const isBegun = this.#upMs === Number.NEGATIVE_INFINITY;
    this.#outages.push({
      ...failure,
      fromMs: isBegun ? fromMs : (this.#upMs + fromMs) / 2,
      toMs: (lastMs + succeededMs) / 2,
      lastFailedMs: lastMs,
      succeededMs,
      failedMs,
      blockedMs,
    });
  }

  #failOwn(session: number, fromMs: number, lastMs: number, failure: Failure): Mutable<OwnFailure> {
    const before = this.#own.get(session);
    const never = Number.POSITIVE_INFINITY;
    if (before !== undefined && before.succeededMs === never) {
      before.lastMs = lastMs;
      before.hintUntilMs = Math.max(before.hintUntilMs, failure.hintUntilMs);
      return before;
    }
    const own = { ...failure, fromMs, lastMs, succeededMs: never, finalMs: never };
    this.#own.set(session, own);
    return own;
  }
}

const GAP_SHARE = 0.95;
/** More than the threshold of a breaker has to be. */
const MAX_FAILURES = 100;
const MAX_SAMPLE = 65_536;

/** Percentiles of many numbers: every second, fourth, … is kept as they become more. */
class Sample {
  #values: number[] = [];
  #every = 1;
  #seen = 0;

  get size(): number {
    return this.#seen;
  }

  add(value: number): void {
    if (!(value >= 0)) return;
    this.#seen += 1;
    if (this.#seen % this.#every !== 0) return;
    this.#values.push(value);
    if (this.#values.length < MAX_SAMPLE) return;
    this.#values = this.#values.filter((_, at) => at % 2 === 1);
    this.#every *= 2;
  }

  at(share: number): number {
    const sorted = this.#values.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }
}

/** The outage at a time. */
export function outageAt(outages: readonly Outage[], atMs: number): Outage | undefined {
  const found = lastOutage(outages, atMs);
  return found !== undefined && atMs < found.toMs ? found : undefined;
}

/** The outage at a time, or the last one before it. */
export function lastOutage(outages: readonly Outage[], atMs: number): Outage | undefined {
  let low = 0;
  let high = outages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((outages[middle]?.fromMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return outages[low - 1];
}
