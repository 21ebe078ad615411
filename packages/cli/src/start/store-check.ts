import type { Clock } from '@redrive/core';
import type { Notice, Store } from '@redrive/durable';
import type { HealthCheck } from './health-server.ts';

/** Longer than this, a store does not answer. */
const TIMEOUT_MS = 2_000;
/** The time for which an answer is reused: probes, however many, do not load the store. */
const FRESH_MS = 500;

/**
 * Whether the store answers: who reads, and who writes, because somebody may hold the lock. What the worker has come
 * up against counts too. Several who ask at once share one question.
 */
export function storeCheck(
  store: Store,
  clock: Clock,
  trouble: Pick<StoreTrouble, 'text'>,
): HealthCheck {
  let asked: { readonly atMs: number; readonly answer: Promise<string | undefined> } | undefined;
  return {
    name: 'store',
    check: async () => {
      const nowMs = clock.monotonic();
      if (asked === undefined || nowMs - asked.atMs > FRESH_MS) {
        asked = { atMs: nowMs, answer: ask(store, clock) };
      }
      return (await asked.answer) ?? trouble.text;
    },
  };
}

function ask(store: Store, clock: Clock): Promise<string | undefined> {
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

/** The longest time that a call to the store takes until it fails again. */
const CALL_MS = 15_000;

/**
 * The store error that the worker met last. A store whose disk is full, or does not sync, may still answer reads. Only
 * a writer sees that.
 */
export class StoreTrouble {
  readonly #clock: Clock;
  #text: string | undefined;
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Learns from what the worker has noticed. */
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
