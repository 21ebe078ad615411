import {
  type Clock,
  DECIDE_VERSION,
  type EventSink,
  type RetryRecord,
  type SessionFacts,
} from '@redrive/core';
import { SUCCESS_INPUT } from '../documents/records-of.ts';
import { subsystemOf } from '../documents/subsystem-of.ts';
import { isFinal, type LeasedJob } from '../job/job.ts';
import type { Settlement } from '../job/settlement.ts';
import type { Decided } from './decide-end.ts';
import type { HeldJob } from './held-job.ts';
import type { Notice } from './notice.ts';

/** How many jobs ended, in this process, since it began to work. */
export interface Tally {
  succeeded: number;
  died: number;
}

/** Tells listeners what happens. What they throw is swallowed: a listener never harms a job. */
export class Reporter {
  readonly #events: EventSink | undefined;
  readonly #onNotice: ((notice: Notice) => void) | undefined;
  readonly #clock: Clock;
  readonly tally: Tally = { succeeded: 0, died: 0 };

  constructor(
    clock: Clock,
    events: EventSink | undefined,
    onNotice: ((notice: Notice) => void) | undefined,
  ) {
    this.#clock = clock;
    this.#events = events;
    this.#onNotice = onNotice;
  }

  notify = (notice: Notice): void => {
    try {
      // An async function fits the type too; what it rejects with must not end the process.
      const answer: unknown = this.#onNotice?.(notice);
      if (answer instanceof Promise) answer.catch(() => {});
    } catch {
      // See above.
    }
  };

  started(held: HeldJob): void {
    if (this.#events === undefined) return;
    const { job, lastError, startedAtMs: atMs } = held;
    this.#emit({
      kind: 'attempt_started',
      atMs,
      session: factsOf(job, held.version, held.guards.dependency),
      attempt: job.account.claims,
      delayMs: job.account.lastDelayMs,
      lastError,
    });
  }

  /** What is to be told once the store has written the end. */
  ending(held: HeldJob, settlement: Settlement, decided: Decided, ran: boolean): () => void {
    const { job, version, guards } = held;
    return () => {
      this.count(settlement);
      if (this.#events === undefined) return;
      this.ended(settlement, decided, factsOf(job, version, guards.dependency), ran);
    };
  }

  count({ to }: Settlement): void {
    if (to === 'succeeded') this.tally.succeeded += 1;
    else if (to === 'dead') this.tally.died += 1;
  }

  /** `ran`: there was an attempt to tell of, and not only an end. */
  ended(
    { attempts, to, reason }: Settlement,
    { decision, input = SUCCESS_INPUT }: Decided,
    session: SessionFacts,
    ran: boolean,
  ): void {
    const [first] = attempts.kept;
    const attempt = attempts.kept.at(-1);
    if (first === undefined || attempt === undefined) return; // There is at least the one that ended.
    const atMs = this.#clock.now();
    const { error, startedAtMs, durationMs, delayBeforeMs } = attempt;
    if (ran) {
      this.#emit({
        kind: 'attempt_ended',
        atMs,
        session,
        attempt: attempt.attempt,
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
    if (!isFinal(to)) return;
    this.#emit({
      kind: 'session_ended',
      atMs,
      session,
      startedAtMs: first.startedAtMs,
      totalAttempts: attempts.kept.length + attempts.omitted,
      success: to === 'succeeded',
      reason,
      error,
    });
  }

  #emit(record: RetryRecord): void {
    try {
      this.#events?.emit(record);
    } catch {
      // Whoever wants to know what a listener throws takes `eventSink` and its `onError`.
    }
  }
}

/** What all records of a job say about it. */
export function factsOf(
  job: LeasedJob,
  { hash, policy, maxAttempts }: { hash: string; maxAttempts: number; policy: { id: string } },
  dependency: string,
): SessionFacts {
  return {
    sessionId: job.sessionId,
    policyId: policy.id,
    policyHash: hash,
    operation: job.handler,
    maxAttempts,
    dependency: dependency || undefined,
    tenantId: job.tenant || undefined,
    correlationId: job.correlationId,
    traceId: job.traceId,
    context: {
      subsystem: subsystemOf(job.handler),
      job_id: job.id,
      queue: job.queue,
      generation: job.account.generation,
    },
  };
}
