import type { Clock, EventSink, RetryRecord } from '@redrive/core';
import { DECIDE_VERSION, type SessionFacts } from '@redrive/core/stored';
import { successInput } from '../documents/records-of.ts';
import { delayBeforeMs, parkedBeforeMs } from '../job/attempt-log.ts';
import { isFinal, type LeasedJob, rungOf } from '../job/job.ts';
import type { Settlement } from '../job/settlement.ts';
import type { LoggedListeners } from '../log/worker-log.ts';
import type { Decided } from './decide-next-step.ts';
import type { HeldJob } from './held-job.ts';
import type { Notice } from './notice.ts';

/** How many jobs this process has finished since it started. */
export interface Tally {
  succeeded: number;
  died: number;
}

/** An outcome that the store has written. */
interface WrittenOutcome {
  readonly job: LeasedJob;
  readonly settlement: Settlement;
  readonly decided: Decided;
  /** Whether an attempt ran. `false`: the job's state changed without one. */
  readonly ran: boolean;
}

/** Notifies listeners. An error that a listener throws is swallowed: a listener never harms a job. */
export class Reporter {
  readonly #events: EventSink | undefined;
  readonly #everyAttempt: boolean;
  readonly #onNotice: ((notice: Notice) => void) | undefined;
  readonly #clock: Clock;
  readonly tally: Tally = { succeeded: 0, died: 0 };

  constructor(clock: Clock, { events, onNotice, everyAttempt }: LoggedListeners) {
    this.#clock = clock;
    this.#events = events;
    this.#everyAttempt = everyAttempt;
    this.#onNotice = onNotice;
  }

  readonly notify = (notice: Notice): void => {
    try {
      // An async function fits the type too; what it rejects with must not end the process.
      const answer: unknown = this.#onNotice?.(notice);
      if (answer instanceof Promise) answer.catch(() => {});
    } catch {
      // See above.
    }
  };

  /** An attempt starts. */
  started(held: HeldJob): void {
    if (!this.#everyAttempt || !this.#wants('attempt_started')) return;
    const { job, lastError, startedAtMs: atMs } = held;
    this.#emit({
      kind: 'attempt_started',
      atMs,
      session: held.facts,
      attempt: job.account.claims,
      delayMs: delayBeforeMs(job),
      lastError,
      parkedMs: parkedBeforeMs(job, atMs),
      ...(held.isProbe && { probe: true }),
    });
  }

  /** The outcome of a held job's attempt is written. */
  written(held: HeldJob): void {
    const { job, settlement, decided, ran } = held;
    if (settlement === undefined || decided === undefined) return; // Nothing else gets written.
    this.outcome({ job, settlement, decided, ran }, () => held.facts);
  }

  /** The outcome of a job that was held here or was rescued is written. */
  outcome({ job, settlement, decided, ran }: WrittenOutcome, session: () => SessionFacts): void {
    const { to, reason } = settlement;
    if (to === 'succeeded') this.tally.succeeded += 1;
    else if (to === 'dead') this.tally.died += 1;
    if (!this.#everyAttempt && (this.#events === undefined || to !== 'dead')) return;
    // Without making the whole log, which only the store of a text needs.
    const attempt = settlement.added?.attempt ?? settlement.attempts.kept.at(-1);
    if (attempt === undefined) return; // At least the finished one is there.
    const facts = session();
    const atMs = this.#clock.now();
    const { error, startedAtMs, durationMs, delayBeforeMs } = attempt;
    const { decision, input = successInput(rungOf(job)) } = decided;
    if (!ran && to === 'parked' && this.#wants('attempt_blocked')) {
      const kind = 'attempt_blocked';
      this.#emit({ kind, atMs, session: facts, attempt: attempt.attempt, decision });
    }
    if (ran && this.#everyAttempt && this.#wants('attempt_ended')) {
      this.#emit({
        kind: 'attempt_ended',
        atMs,
        session: facts,
        attempt: attempt.attempt,
        attemptsBefore: attempt.attemptsBefore,
        startedAtMs,
        durationMs,
        delayBeforeMs,
        success: decision.action === 'succeed',
        error,
        decision,
        input,
        decideVersion: DECIDE_VERSION,
      });
    }
    if (!isFinal(to) || !this.#wants('session_ended')) return;
    this.#emit({
      kind: 'session_ended',
      atMs,
      session: facts,
      // That of the call or consumer, where it was handed over.
      startedAtMs: Math.min(
        job.submittedAtMs,
        (job.attempts.kept[0] ?? attempt).startedAtMs || Infinity,
      ),
      totalAttempts: job.account.executions,
      success: to === 'succeeded',
      reason,
      error,
    });
  }

  #wants(kind: RetryRecord['kind']): boolean {
    try {
      return this.#events?.wants?.(kind) ?? true;
    } catch {
      return false; // It could not take the record either.
    }
  }

  #emit(record: RetryRecord): void {
    try {
      this.#events?.emit(record);
    } catch {
      // An error of a listener stops no work: `eventSink` has `onError` for it.
    }
  }
}
