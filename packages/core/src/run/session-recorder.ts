import { DECIDE_VERSION, type DecisionInput, decide } from '../decide/decide.ts';
import type { Decision, ReasonCode } from '../decide/decision.ts';
import type {
  AttemptEnded,
  EventSink,
  RetryRecord,
  SanitisedError,
  SessionFacts,
} from '../records/record.ts';
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
    const { clock, lastDelayMs } = this.session;
    this.attemptAtMs = clock.now();
    this.attemptStartMs = clock.monotonic();
    this.delayBeforeMs = lastDelayMs;
    const { facts: session, attemptAtMs: atMs, lastError } = this;
    this.emit({ kind: 'attempt_started', atMs, session, attempt, delayMs: lastDelayMs, lastError });
  }

  failed(attempt: number, error: unknown, input: DecisionInput, decision: Decision): void {
    this.lastError = this.sink.describe(error);
    this.emit({
      ...this.attemptEnded(attempt, input, decision),
      success: false,
      error: this.lastError,
    });
  }

  succeeded(attempt: number): void {
    const input = gather(this.session, { kind: 'success' });
    this.emit({ ...this.attemptEnded(attempt, input, decide(input)), success: true });
    this.ended('succeeded', undefined, attempt);
  }

  /** The session is over, with the error that it ended with unless it succeeded. */
  ended(reason: ReasonCode, error: unknown, totalAttempts = this.session.attempts): void {
    const success = reason === 'succeeded';
    this.emit({
      kind: 'session_ended',
      atMs: this.session.clock.now(),
      session: this.facts,
      startedAtMs: this.startedAtMs,
      totalAttempts,
      success,
      reason,
      error: success ? undefined : this.sink.describe(error),
    });
  }

  /** The ledger answered instead of the operation, or keeps what it returned. */
  used(key: string, action: 'hit' | 'record'): void {
    this.emit({
      kind: 'idempotency',
      atMs: this.session.clock.now(),
      session: this.facts,
      key,
      action,
    });
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

  /** A listener never fails a call. */
  private emit(record: RetryRecord): void {
    try {
      this.sink.emit(record);
    } catch {
      // Whoever wants to know what a listener throws takes `eventSink` and its `onError`.
    }
  }
}
