import { type AttemptContext, type Clock, RedriveError } from '@redrive/core';
import type { CurrentAttempt } from '@redrive/core/node';
import { sanitiseError } from '@redrive/core/stored';
import type { JobContext } from '../handler/job-context.ts';
import type { JobSpec } from '../job/job.ts';
import { checkedProgress } from '../job/progress.ts';
import type { JobLedger } from '../ledger/ledger-store.ts';
import { HandlerSession } from './held-job.ts';

/** An event that is not stored: the job that it would be. */
export type DirectEvent = Omit<JobSpec, 'submittedAtMs'>;

interface DirectContextParts {
  readonly clock: Clock;
  readonly ledger: JobLedger;
}

/**
 * The context of a job, for an event that is not stored. No process has a lease on it, so its token is below any other.
 * Classes with getters: there are many events, and most handlers read little of it.
 */
export class DirectContext implements JobContext {
  readonly event: DirectEvent;
  readonly own: AttemptContext;
  readonly #parts: DirectContextParts;
  readonly generation = 1;
  readonly token = 0;
  readonly parent: CurrentAttempt;

  constructor(event: DirectEvent, own: AttemptContext, parts: DirectContextParts) {
    this.event = event;
    this.own = own;
    this.#parts = parts;
    this.parent = new HandlerSession(this);
  }

  get jobId(): string {
    return this.event.id;
  }
  get sessionId(): string {
    return this.event.sessionId;
  }
  get handler(): string {
    return this.event.handler;
  }
  get queue(): string {
    return this.event.queue;
  }
  get tenant(): string {
    return this.event.tenant;
  }
  get tags(): readonly string[] {
    return this.event.tags;
  }
  get headers(): Readonly<Record<string, string>> {
    return this.event.headers;
  }
  get correlationId(): string {
    return this.event.correlationId ?? this.event.sessionId;
  }
  get idempotencyKey(): string {
    return this.event.idempotencyKey;
  }
  get attempt(): number {
    return this.own.attempt;
  }
  get maxAttempts(): number {
    return this.own.maxAttempts;
  }
  get signal(): AbortSignal {
    return this.own.signal;
  }
  get timeLeftMs(): number {
    return this.own.timeLeftMs();
  }
  get deadlineMs(): number | undefined {
    const { timeLeftMs } = this;
    return timeLeftMs === Infinity ? undefined : this.#parts.clock.now() + timeLeftMs;
  }
  get lastError(): JobContext['lastError'] {
    const { lastOutcome } = this.own;
    return lastOutcome?.kind === 'error' ? sanitiseError(lastOutcome.error) : undefined;
  }
  /** No heartbeat would bring it anywhere, because nothing is stored; the arguments are checked all the same. */
  get progress(): JobContext['progress'] {
    return (fraction, note) => void checkedProgress(fraction, note);
  }
  /** Nothing settles it, so nothing could be stored with it. */
  get enqueue(): JobContext['enqueue'] {
    return () => this.#refuseJobs();
  }
  get enqueueMany(): JobContext['enqueueMany'] {
    return () => this.#refuseJobs();
  }
  get once(): JobContext['once'] {
    return this.#parts.ledger.onceFor(() => this.signal);
  }

  #refuseJobs(): never {
    throw new RedriveError(
      'invalid_job',
      `context.enqueue needs a stored job, and the event ${this.jobId} runs before it is stored. Use jobs.enqueue, or a source without direct: true`,
      { id: this.jobId },
    );
  }
}
