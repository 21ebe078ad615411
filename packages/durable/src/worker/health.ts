import type { Clock } from '@redrive/core';
import type { Store } from '../store/store.ts';
import type { Notice } from './notice.ts';

/** Whether the worker of a process can work, for the probes of an orchestrator. */
export interface JobsHealth {
  /** Always true: a process that must be replaced does not answer at all. */
  readonly live: boolean;
  /** No check has a problem. */
  readonly ready: boolean;
  readonly checks: readonly HealthResult[];
}

export interface HealthResult {
  /** The worker of this process, or its store. */
  readonly name: 'worker' | 'store';
  /** What is wrong. Absent: nothing. */
  readonly problem?: string;
}

/** Of a worker: `undefined` if it works. */
export type WorkerProblem = 'not started' | 'starting' | 'stopping' | undefined;

/** A store that takes longer counts as one that does not answer. */
const TIMEOUT_MS = 2_000;
/** The time for which an answer is reused: probes, however many, do not load the store. */
const FRESH_MS = 500;

/**
 * Checks whether the store answers a read and a write: another process may hold the lock for writes. Store errors that the
 * worker met count too. Checks at the same time share one answer.
 *
 * @returns a function that answers the problem, or `undefined` if there is none.
 */
export function storeCheck(
  store: Pick<Store, 'pulse' | 'heartbeat'>,
  clock: Clock,
  trouble: Pick<StoreTrouble, 'text'>,
): () => Promise<string | undefined> {
  let asked: { readonly atMs: number; readonly answer: Promise<string | undefined> } | undefined;
  return async () => {
    const nowMs = clock.monotonic();
    if (asked === undefined || nowMs - asked.atMs > FRESH_MS) {
      asked = { atMs: nowMs, answer: ask(store, clock) };
    }
    return (await asked.answer) ?? trouble.text;
  };
}

/** The document of `jobs.health()`. */
export async function healthOf(
  worker: WorkerProblem,
  checkStore: () => Promise<string | undefined>,
): Promise<JobsHealth> {
  const result = (name: HealthResult['name'], problem?: string) =>
    problem === undefined ? { name } : { name, problem };
  const checks = [result('worker', worker), result('store', await checkStore())];
  return { live: true, ready: checks.every(({ problem }) => problem === undefined), checks };
}

function ask(store: Pick<Store, 'pulse' | 'heartbeat'>, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(TIMEOUT_MS, () => resolve(`no answer within ${TIMEOUT_MS} ms`));
    timer.hold(false);
    const end = (problem?: string) => {
      timer.cancel();
      resolve(problem);
    };
    // A heartbeat without leases takes the lock and changes nothing.
    Promise.all([store.pulse([]), store.heartbeat([], TIMEOUT_MS)]).then(
      () => end(),
      (error: unknown) => end(error instanceof Error ? error.message : String(error)),
    );
  });
}

/** A call to the store that fails, fails within this time. */
const CALL_MS = 15_000;

/**
 * The store error that the worker met last. A store whose disk is full, or does not sync, may still answer the check: only
 * writes of data fail.
 */
export class StoreTrouble {
  readonly #clock: Clock;
  #text: string | undefined;
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes store errors, and forgets them when the store is back. */
  observe(notice: Notice): void {
    if (notice.kind === 'store_back') this.#text = undefined;
    if (notice.kind !== 'store_unavailable') return;
    const { error, retryInMs } = notice;
    this.#text = error instanceof Error ? error.message : String(error);
    // A call that fails again reports it before this time. A heartbeat that succeeds reports nothing.
    this.#untilMs = this.#clock.monotonic() + retryInMs + CALL_MS;
  }

  /** `undefined`: none. */
  get text(): string | undefined {
    return this.#clock.monotonic() < this.#untilMs ? this.#text : undefined;
  }
}
