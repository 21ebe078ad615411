import { answerOf } from '../classify/answer-of.ts';
import { DECIDE_VERSION, decide } from '../decide/decide.ts';
import type { Decision, DecisionInput, ReasonCode } from '../decide/decision.ts';
import type { FailedOutcome } from '../run/attempt-context.ts';
import { gather } from '../run/retry.ts';
import type { Attempt, Session } from '../run/session.ts';
import { policyCategory, policyLabel } from './policy-label.ts';
import type {
  AttemptEnded,
  EventSink,
  RetryRecord,
  SanitisedError,
  SessionFacts,
} from './record.ts';

/** Emits the records of one session. The sink creates it, so that a program without a sink does not bundle this code. */
export class SessionRecorder {
  private readonly session: Session<unknown>;
  private readonly sink: EventSink;
  private readonly facts: SessionFacts;
  private readonly startedAtMs: number;
  private lastError: SanitisedError | undefined;

  constructor(session: Session<unknown>, sink: EventSink) {
    const { policy, options, clock } = session;
    this.session = session;
    this.sink = sink;
    this.startedAtMs = clock.now();
    const policyHash = sink.hashPolicy(policy);
    this.facts = {
      sessionId: session.id,
      policyId: policyLabel(policy.id, policyHash),
      policyHash,
      operation: session.operationName,
      maxAttempts: policy.maxAttempts,
      category: options.category ?? policyCategory(policy.id),
      dependency: policy.dependency || undefined,
      tenantId: options.tenantId,
      correlationId: options.correlationId,
      traceId: options.traceId,
      context: options.context && sink.describeContext(options.context),
    };
  }

  started({ attempt, startedAtMs: atMs }: Attempt<unknown>): void {
    const delayMs = this.session.lastFailure?.delayMs ?? 0;
    const { facts: session, lastError } = this;
    this.emit(() => ({ kind: 'attempt_started', atMs, session, attempt, delayMs, lastError }));
  }

  failed(
    attempt: Attempt<unknown>,
    failed: FailedOutcome,
    input: DecisionInput,
    decision: Decision,
  ): void {
    this.lastError = undefined;
    this.emit(() => {
      this.lastError = this.describe(failed);
      const ended = this.attemptEnded(attempt, input, decision);
      return { ...ended, success: false, error: this.lastError };
    });
  }

  succeeded(attempt: Attempt<unknown>): void {
    this.emit(() => {
      const input = gather(attempt, { kind: 'success' });
      return { ...this.attemptEnded(attempt, input, decide(input)), success: true };
    });
    this.ended('succeeded', undefined, attempt.attempt);
  }

  /** The session is over, with the failure that it ended with if there was one. */
  ended(
    reason: ReasonCode,
    failed: FailedOutcome | undefined,
    totalAttempts = this.session.failedAttempts,
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

  /** The ledger supplied the result instead of the operation, or stored its result. */
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

  /** A returned value that counts as a failure is not an error; results never go into records. */
  private describe(failed: FailedOutcome | undefined): SanitisedError | undefined {
    return failed?.kind === 'error' ? this.sink.describe(failed.error) : undefined;
  }

  private attemptEnded(
    { attempt, startedAtMs, startMs }: Attempt<unknown>,
    { policy: _, ...input }: DecisionInput,
    decision: Decision,
  ): Omit<AttemptEnded, 'success'> {
    const { clock } = this.session;
    return {
      kind: 'attempt_ended',
      atMs: clock.now(),
      session: this.facts,
      attempt,
      startedAtMs,
      durationMs: clock.monotonic() - startMs,
      delayBeforeMs: input.account.lastDelayMs,
      decision,
      input,
      decideVersion: DECIDE_VERSION,
    };
  }

  /** An error in a sink never fails a call. */
  private emit(makeRecord: () => RetryRecord): void {
    // `eventSink` reports errors of its listener to `onError`.
    answerOf(() => this.sink.emit(makeRecord()));
  }
}
