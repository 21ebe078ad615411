import { DECIDE_VERSION, type DecisionInput, decide } from '../decide/decide.ts';
import type { Decision, ReasonCode } from '../decide/decision.ts';
import type {
  AttemptEnded,
  EventSink,
  RetryRecord,
  SanitisedError,
  SessionFacts,
} from '../records/record.ts';
import type { FailedOutcome } from './attempt-context.ts';
import { gather } from './conclude.ts';
import type { SessionState } from './session-state.ts';

/** Tells a sink about one session. The sink makes it, so that a program without a sink does not carry it. */
export class SessionRecorder {
  private readonly session: SessionState;
  private readonly sink: EventSink;
  private readonly facts: SessionFacts;
  private readonly startedAtMs: number;
  private attemptAtMs = 0;
  private attemptStartMs = 0;
  private delayBeforeMs = 0;
  private lastError: SanitisedError | undefined;

  constructor(session: SessionState, sink: EventSink) {
    const { policy, options, clock } = session;
    this.session = session;
    this.sink = sink;
    this.startedAtMs = clock.now();
    this.facts = {
      sessionId: session.id,
      policyId: policy.id,
      policyHash: sink.hashPolicy(policy),
      operation: options.operation ?? policy.id,
      maxAttempts: policy.maxAttempts,
      category: options.category,
      dependency: policy.dependency || undefined,
      tenantId: options.tenantId,
      correlationId: options.correlationId,
      traceId: options.traceId,
      context: options.context && sink.describeContext(options.context),
    };
  }

  started(attempt: number): void {
    const { clock, lastFailure } = this.session;
    const delayMs = lastFailure?.delayMs ?? 0;
    this.attemptAtMs = clock.now();
    this.attemptStartMs = clock.monotonic();
    this.delayBeforeMs = delayMs;
    const { facts: session, attemptAtMs: atMs, lastError } = this;
    this.emit(() => ({ kind: 'attempt_started', atMs, session, attempt, delayMs, lastError }));
  }

  failed(attempt: number, failed: FailedOutcome, input: DecisionInput, decision: Decision): void {
    this.lastError = undefined;
    this.emit(() => {
      this.lastError = this.describe(failed);
      const ended = this.attemptEnded(attempt, input, decision);
      return { ...ended, success: false, error: this.lastError };
    });
  }

  succeeded(attempt: number): void {
    this.emit(() => {
      const input = gather(this.session, attempt, { kind: 'success' });
      return { ...this.attemptEnded(attempt, input, decide(input)), success: true };
    });
    this.ended('succeeded', undefined, attempt);
  }

  /** The session is over, with the failure that it ended with if there was one. */
  ended(
    reason: ReasonCode,
    failed: FailedOutcome | undefined,
    totalAttempts = this.session.lastFailure?.attempt ?? 0,
  ): void {
    this.emit(() => ({
      kind: 'session_ended',
      atMs: this.session.clock.now(),
      session: this.facts,
      startedAtMs: this.startedAtMs,
      totalAttempts,
      success: reason === 'succeeded',
      reason,
      error: this.describe(failed),
    }));
  }

  /** The ledger answered instead of the operation, or keeps what it returned. */
  used(key: string, action: 'hit' | 'record'): void {
    const { session } = this;
    this.emit(() => ({
      kind: 'idempotency',
      atMs: session.clock.now(),
      session: this.facts,
      key,
      action,
    }));
  }

  /** A returned value that counts as a failure is no error, and results do not go into records. */
  private describe(failed: FailedOutcome | undefined): SanitisedError | undefined {
    return failed?.kind === 'error' ? this.sink.describe(failed.error) : undefined;
  }

  private attemptEnded(
    attempt: number,
    { policy: _, ...input }: DecisionInput,
    decision: Decision,
  ): Omit<AttemptEnded, 'success'> {
    const { clock } = this.session;
    return {
      kind: 'attempt_ended',
      atMs: clock.now(),
      session: this.facts,
      attempt,
      startedAtMs: this.attemptAtMs,
      durationMs: clock.monotonic() - this.attemptStartMs,
      delayBeforeMs: this.delayBeforeMs,
      decision,
      input,
      decideVersion: DECIDE_VERSION,
    };
  }

  /** A sink never fails a call, neither with what it makes of a record nor with how it makes one. */
  private emit(makeRecord: () => RetryRecord): void {
    try {
      this.sink.emit(makeRecord());
    } catch {
      // Whoever wants to know what a listener throws takes `eventSink` and its `onError`.
    }
  }
}
