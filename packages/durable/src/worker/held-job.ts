import { type BreakerPermit, RedriveError } from '@redrive/core';
import type { CurrentAttempt } from '@redrive/core/node';
import { REFUSED, type SessionFacts } from '@redrive/core/stored';
import type { GateName } from '../control/closed-gates.ts';
import { sessionFacts } from '../documents/session-facts.ts';
import type { JobContext } from '../handler/job-context.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { LeasedJob } from '../job/job.ts';
import type { Settlement } from '../job/settlement.ts';
import { lossesOf } from '../job/suspects.ts';
import type { Enqueuer } from '../jobs/enqueuer.ts';
import { decodePayload } from '../jobs/payload.ts';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { JobLedger } from '../ledger/ledger-store.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { LeaseRef } from '../store/store.ts';
import { AttemptProgress } from './attempt-progress.ts';
import type { Decided } from './decide-next-step.ts';
import { FollowUps } from './follow-ups.ts';
import type { JobGuards } from './guards.ts';
import type { Lane } from './held-jobs.ts';
import type { PolicyVersion } from './policy-versions.ts';
import type { StoreTime } from './store-contact.ts';

/** The reason why an attempt was stopped from outside its handler. */
export type Cut = 'timeout' | 'stalled' | 'cancel' | 'lease_lost' | 'stopping' | 'killed';

/**
 * A job whose lease this process holds, and what its handler sees of it. What a handler rarely asks for is made when it
 * asks: there are many jobs, and most have no use for a signal.
 */
export class HeldJob implements JobContext {
  readonly job: LeasedJob;
  readonly lane: Lane;
  readonly version: PolicyVersion;
  readonly guards: JobGuards;
  private readonly time: StoreTime;
  private readonly ledger: JobLedger;
  private readonly enqueuer: Pick<Enqueuer, 'prepare' | 'prepareMany'>;
  /** `waiting` in the local queue, `asking` whether it may be a probe, `running`, or `finished` and to be settled. */
  phase: 'waiting' | 'asking' | 'running' | 'finished' = 'waiting';
  /** Whether it has a place among those that run. */
  hasPlace = false;
  /** It has lost a lease, and may be the cause of crashes. */
  readonly isRisky: boolean;
  /** The end of the lease, on the monotonic clock: no other process has the job before it. */
  safeUntilMs: number;
  /** When it came here, on the monotonic clock. */
  readonly claimedAtMs: number;
  /** When the attempt started, on the monotonic clock and by the store's. */
  startMs = 0;
  startedAtMs = 0;
  /** When its time is up, on the monotonic clock. */
  limitMs = Infinity;
  permit: BreakerPermit = REFUSED;
  /** It is the probe of its breaker, also when it takes so long that another one is the probe by then. */
  isProbe = false;
  cut: Cut | undefined = undefined;
  /** Its lease may have run out, and the log says so. Its attempt may have been cut before, for another reason. */
  isLost = false;
  /** Another process has the job: this one can write nothing about it. */
  isTaken = false;
  /** The reason with which its signal aborts. */
  cutReason: unknown = undefined;
  private controller: AbortController | undefined = undefined;
  /** Since when it has made no progress, by the store's clock, where its handler calls that a stall. */
  stalledSinceMs: number | undefined = undefined;
  private session: CurrentAttempt | undefined = undefined;
  private ownReports: AttemptProgress | undefined = undefined;
  private ownFollowUps: FollowUps | undefined = undefined;
  private ownGate: GateName | undefined = undefined;
  private ownFacts: SessionFacts | undefined = undefined;
  /** The settlement that the store must write. */
  settlement: Settlement | undefined = undefined;
  /** The store was asked before and did not answer: it may have been written. */
  unsure = false;
  /** The decision behind it. */
  decided: Decided | undefined = undefined;
  /** Whether its handler was called. */
  ran = false;

  constructor(
    job: LeasedJob,
    lane: Lane,
    version: PolicyVersion,
    guards: JobGuards,
    time: StoreTime,
    ledger: JobLedger,
    enqueuer: Pick<Enqueuer, 'prepare' | 'prepareMany'>,
    claimedAtMs: number,
    safeUntilMs: number,
  ) {
    this.job = job;
    this.lane = lane;
    this.version = version;
    this.guards = guards;
    this.time = time;
    this.ledger = ledger;
    this.enqueuer = enqueuer;
    this.claimedAtMs = claimedAtMs;
    this.safeUntilMs = safeUntilMs;
    this.isRisky = lossesOf(job.account) > 0;
  }

  get jobId(): string {
    return this.job.id;
  }
  get sessionId(): string {
    return this.job.sessionId;
  }
  get handler(): string {
    return this.job.handler;
  }
  get queue(): string {
    return this.job.queue;
  }
  get tenant(): string {
    return this.job.tenant;
  }
  get tags(): readonly string[] {
    return this.job.tags;
  }
  get headers(): Readonly<Record<string, string>> {
    return this.job.headers;
  }
  get correlationId(): string {
    return this.job.correlationId ?? this.job.sessionId;
  }
  get traceId(): string | undefined {
    return this.job.traceId;
  }
  get attempt(): number {
    return this.job.account.claims;
  }
  get generation(): number {
    return this.job.account.generation;
  }
  get maxAttempts(): number {
    return this.version.maxAttempts;
  }
  get token(): number {
    return this.job.token;
  }
  get idempotencyKey(): string {
    return this.job.idempotencyKey;
  }
  get lastError(): { readonly type: string; readonly message: string } | undefined {
    const last = this.job.attempts.kept.at(-1);
    return last?.generation === this.generation ? last.error : undefined;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.cut !== undefined) this.controller.abort(this.cutReason);
    }
    return this.controller.signal;
  }

  /** The job's deadline, or the end of its policy's `ttlMs`. */
  get deadlineMs(): number | undefined {
    const { deadlineMs = Infinity, generationAtMs } = this.job;
    const untilMs = Math.min(deadlineMs, generationAtMs + this.version.policy.ttlMs);
    return untilMs === Infinity ? undefined : untilMs;
  }

  get timeLeftMs(): number {
    const { deadlineMs } = this;
    return deadlineMs === undefined ? Infinity : deadlineMs - this.time.latestMs();
  }

  get once(): JobContext['once'] {
    return this.ledger.onceFor(() => this.signal);
  }

  get progress(): JobContext['progress'] {
    return this.reports.report;
  }

  get enqueue(): JobContext['enqueue'] {
    return this.followUps.enqueue;
  }

  get enqueueMany(): JobContext['enqueueMany'] {
    return this.followUps.enqueueMany;
  }

  private get followUps(): FollowUps {
    this.ownFollowUps ??= new FollowUps(
      this,
      this.enqueuer,
      () => this.phase === 'finished' || this.isTaken,
    );
    return this.ownFollowUps;
  }

  /** The jobs that its handler has enqueued. */
  get enqueued(): readonly EnqueueCommand[] | undefined {
    return this.ownFollowUps?.commands;
  }

  /** What its handler reports. */
  get reports(): AttemptProgress {
    this.ownReports ??= new AttemptProgress(this.time, this.startMs);
    return this.ownReports;
  }

  /** For a heartbeat: with the progress that the store does not have yet. */
  get leaseRef(): LeaseRef {
    const { id, token } = this.job;
    const progress = this.ownReports?.unstored;
    return progress === undefined ? { id, token } : { id, token, progress };
  }

  get parent(): CurrentAttempt {
    this.session ??= new HandlerSession(this);
    return this.session;
  }

  /** The facts of its session in records. */
  get facts(): SessionFacts {
    const { job, guards, version } = this;
    const { policy, hash, maxAttempts } = version;
    this.ownFacts ??= sessionFacts(
      job,
      { id: policy.id, hash, maxAttempts },
      {
        generation: job.account.generation,
        dependency: guards.dependency || undefined,
        ttlMs: policy.ttlMs,
      },
    );
    return this.ownFacts;
  }

  /** The gate that it goes through. Means something only where it has a dependency. */
  get gate(): GateName {
    this.ownGate ??= {
      dependency: this.guards.dependency,
      credential: credentialOf(this.lane.handler, this),
      tenant: this.tenant,
    };
    return this.ownGate;
  }

  /** Interrupts the attempt from outside: its signal aborts. The first reason stays. */
  abort(cut: Cut, reason: unknown): void {
    if (this.cut !== undefined) return;
    this.cut = cut;
    this.cutReason = reason;
    this.controller?.abort(reason);
  }
}

/** A job, or an event that is not stored, as the session around calls that its handler makes. */
export class HandlerSession implements CurrentAttempt {
  readonly retries = { count: 0 };
  readonly inJob = true;
  readonly #context: JobContext;

  constructor(context: JobContext) {
    this.#context = context;
  }

  get sessionId(): string {
    return this.#context.sessionId;
  }
  get attempt(): number {
    return this.#context.attempt;
  }
  get maxAttempts(): number {
    return this.#context.maxAttempts;
  }
  get idempotencyKey(): string {
    return this.#context.idempotencyKey;
  }
  get signal(): AbortSignal {
    return this.#context.signal;
  }
  timeLeftMs(): number {
    return this.#context.timeLeftMs;
  }
}

export const cutReasons = {
  timeout: (ms: number) =>
    new RedriveError('attempt_timeout', `The attempt took longer than ${ms} ms`, { timeoutMs: ms }),
  deadline: () => new RedriveError('attempt_timeout', 'The deadline of the job has passed'),
  stalled: (ms: number) =>
    new RedriveError('attempt_stalled', `The attempt made no progress for ${ms} ms`, {
      stallAfterMs: ms,
    }),
  leaseLost: (id: string) =>
    new RedriveError(
      'lease_lost',
      `The lease of job ${id} is lost: another worker may run it now`,
      {
        id,
      },
    ),
  stopping: () =>
    new RedriveError('worker_stopping', 'The worker is stopping; the job will run again'),
  killed: () =>
    new RedriveError(
      'kill_switch',
      'A kill switch interrupted the attempt; the job will run again',
    ),
  cancelled: (id: string) => new DOMException(`Job ${id} was cancelled`, 'AbortError'),
};

/** Why its time is up: that of the attempt, or that of the job. */
export function timeoutOf({ startMs, version }: HeldJob, nowMs: number): unknown {
  const { attemptTimeoutMs } = version.policy;
  const byDeadline = nowMs - startMs < attemptTimeoutMs;
  return byDeadline ? cutReasons.deadline() : cutReasons.timeout(attemptTimeoutMs);
}

/** The credential that an attempt uses. Empty: none is named, also where the function of the handler names none that fits. */
function credentialOf({ credential }: ResolvedHandler, held: HeldJob): string {
  if (typeof credential === 'string') return credential;
  if (credential === undefined) return '';
  try {
    const name: unknown = credential(decodePayload(held.job.payload), held);
    const isName = textProblem('credential', name ?? null, MAX_NAME_LENGTH) === undefined;
    return isName ? (name as string) : ''; // Or there would be a problem.
  } catch {
    return '';
  }
}
