import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { HandedOverWork, HandOver, RetryRecord } from '@redrive/core';
import {
  maskSecrets,
  type SanitisedError,
  type SessionFacts,
  sanitiseError,
} from '@redrive/core/stored';
import type { Handler, HandlerDefinition, Handlers } from '@redrive/durable';
import { resultOf } from '../observe/result-of.ts';

const HASH = /^[0-9a-f]{64}$/;

type Of<K extends RetryRecord['kind']> = Extract<RetryRecord, { readonly kind: K }>;

/** Spans of one session that are open in this process. */
interface Open {
  /** Of a call. A stored operation outlives processes: its attempts are children of the span that submitted it. */
  readonly operation?: Span | undefined;
  readonly parent: Context;
  attempt?: Span | undefined;
}

const NAME = '@redrive/telemetry';
/** Sessions with an open span; beyond it the oldest span ends. An attempt whose result is refused has no end otherwise. */
const MAX_OPEN = 10_000;
const MAX_TEXT = 300;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The W3C header of the active span, for the headers of a job or a message. `{}`: there is none. */
export function traceHeaders(of: Context = context.active()): Record<string, string> {
  const span = trace.getSpanContext(of);
  if (span === undefined || !isSpanContextValid(span)) return {};
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
}

/** Makes spans of records. Without an SDK it makes nothing, and keeps nothing. */
export class Spans {
  readonly #open = new Map<string, Open>();
  readonly #isOn: boolean;

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** Whether spans are made now: they are wanted, and an SDK is installed. */
  get areMade(): boolean {
    return this.#isOn && installedTracer() !== undefined;
  }

  /** A call begins. It belongs to the span that is active now. */
  startCall(sessionId: string, operation: string): void {
    const tracer = this.#isOn ? installedTracer() : undefined;
    if (tracer === undefined) return;
    const active = context.active();
    const span = tracer.startSpan(textOf(operation), { kind: SpanKind.INTERNAL }, active);
    this.#keep(sessionId, { operation: span, parent: trace.setSpan(active, span) });
  }

  record(record: RetryRecord): void {
    if (record.kind === 'attempt_started') this.#start(record);
    else if (this.#open.size === 0) return;
    else if (record.kind === 'attempt_ended') this.#endAttempt(record);
    else if (record.kind === 'session_ended') this.#endSession(record);
  }

  /** The trace of a session with an open span, if it is sampled: for exemplars. */
  traceIdOf(session: SessionFacts): string | undefined {
    if (this.#open.size === 0) return undefined;
    const { attempt, operation } = this.#open.get(keyOf(session)) ?? {};
    const span = attempt ?? operation;
    return span?.isRecording() ? span.spanContext().traceId : undefined;
  }

  /** Runs a function inside the span of the attempt that runs now. */
  within<T>(key: string, run: () => T): T {
    const open = this.#open.get(key);
    if (open?.attempt === undefined) return run();
    return context.with(trace.setSpan(open.parent, open.attempt), run);
  }

  /** The trace goes on with a call that another rung takes over. */
  handOver(to: HandOver): HandOver {
    return {
      ...to,
      handOver: (work: HandedOverWork) => {
        const { parent } = this.#open.get(work.sessionId) ?? {};
        const headers = parent && { ...work.headers, ...traceHeaders(parent) };
        return to.handOver(headers ? { ...work, headers } : work);
      },
    };
  }

  /** Runs something that sends work, inside a span of it. The headers name that span. */
  sending<T>(
    operation: 'enqueue' | 'publish',
    destination: string,
    attributes: Attributes,
    run: (headers: Record<string, string>) => T,
  ): T {
    const tracer = this.#isOn ? installedTracer() : undefined;
    if (tracer === undefined) return run({});
    const name = textOf(destination);
    const span = tracer.startSpan(`${operation} ${name}`, {
      kind: SpanKind.PRODUCER,
      attributes: {
        ...messaging(operation, 'send'),
        'messaging.destination.name': name,
        ...attributes,
      },
    });
    const active = trace.setSpan(context.active(), span);
    return ending(span, () => context.with(active, () => run(traceHeaders(active))));
  }

  #start({ session, attempt, delayMs, atMs }: Of<'attempt_started'>): void {
    const tracer = this.#isOn ? installedTracer() : undefined;
    if (tracer === undefined) return;
    const key = keyOf(session);
    const isJob = session.context?.generation !== undefined;
    const open = this.#open.get(key) ?? { parent: remoteContext(session.traceParent) };
    open.attempt?.end();
    const attributes = {
      ...factsOf(session),
      ...(isJob && messaging('process', 'process')),
      'redrive.attempt': attempt,
      'redrive.delay_ms': delayMs,
    };
    const kind = isJob ? SpanKind.CONSUMER : SpanKind.INTERNAL;
    const options = { kind, attributes, startTime: atMs };
    open.attempt = tracer.startSpan(`attempt ${textOf(session.operation)}`, options, open.parent);
    this.#keep(key, open);
  }

  #endAttempt({ session, success, error, decision, atMs }: Of<'attempt_ended'>): void {
    const key = keyOf(session);
    const open = this.#open.get(key);
    if (open?.attempt === undefined) return;
    const { action, reason, delayMs } = decision;
    open.attempt.setAttribute('redrive.reason', reason);
    if (action === 'retry') open.attempt.setAttribute('redrive.next_delay_ms', delayMs ?? 0);
    const facts = { 'redrive.action': action, 'redrive.reason': reason };
    open.attempt.addEvent('redrive.decision', { ...facts, 'redrive.delay_ms': delayMs ?? 0 }, atMs);
    if (!success) fail(open.attempt, error);
    open.attempt.end(atMs);
    open.attempt = undefined;
    // The next attempt of a stored operation may run anywhere.
    if (open.operation === undefined) this.#open.delete(key);
  }

  /** An operation that succeeded in the end is not an error, and neither is one that goes on elsewhere. */
  #endSession(record: Of<'session_ended'>): void {
    const { session, success, reason, error, totalAttempts } = record;
    const key = keyOf(session);
    const open = this.#open.get(key);
    if (open?.operation === undefined) return;
    const result = resultOf(success, reason, totalAttempts);
    const attributes = { 'redrive.result': result, 'redrive.attempts': totalAttempts };
    open.operation.setAttributes({ ...factsOf(session), ...attributes, 'redrive.reason': reason });
    const isFailure = !success && result !== 'cancelled' && result !== 'handed_over';
    if (isFailure) fail(open.operation, error);
    open.attempt?.end();
    open.operation.end();
    this.#open.delete(key);
  }

  #keep(key: string, open: Open): void {
    this.#open.set(key, open);
    if (this.#open.size <= MAX_OPEN) return;
    const [oldest] = this.#open.entries();
    if (oldest === undefined) return;
    this.#open.delete(oldest[0]);
    oldest[1].attempt?.end();
    oldest[1].operation?.end();
  }
}

/** Handlers whose attempts run inside their spans, so that spans of their calls are children. */
export function tracedHandlers<H extends Handlers>(spans: Spans, handlers: H): H {
  const traced = ([name, given]: [string, Handlers[string]]) => {
    // A call for many jobs is part of no single attempt.
    if (typeof given === 'object' && 'runMany' in given) return [name, given];
    const definition: HandlerDefinition<unknown, unknown> =
      typeof given === 'function' ? { run: given } : given;
    const run: Handler<unknown, unknown> = (payload, job) =>
      spans.within(job.jobId, () => definition.run(payload, job));
    return [name, { ...definition, run }];
  };
  // The names and the types of payloads and results stay.
  return Object.fromEntries(Object.entries(handlers).map(traced)) as unknown as H;
}

/** The tracer of the SDK. `undefined`: none is installed. */
function installedTracer() {
  const provider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider) return provider.getDelegateTracer(NAME);
  return provider.getTracer(NAME);
}

function keyOf({ context: facts, sessionId }: SessionFacts): string {
  // Jobs have a generation; the context of a call is the caller's own.
  return facts?.generation === undefined ? sessionId : String(facts.job_id);
}

function remoteContext(header: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return context.active();
  const traceFlags = Number.parseInt(flags ?? '0', 16);
  const span = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(span) ? trace.setSpanContext(context.active(), span) : context.active();
}

/** Attributes of OpenTelemetry's conventions for messaging. */
function messaging(name: string, type: 'send' | 'process'): Attributes {
  return {
    'messaging.system': 'redrive',
    'messaging.operation.name': name,
    'messaging.operation.type': type,
  };
}

/** Ends the span when the function has returned or its promise is settled. */
function ending<T>(span: Span, run: () => T): T {
  const failed = (error: unknown): never => {
    fail(span, sanitiseError(error));
    span.end();
    throw error;
  };
  let result: T;
  try {
    result = run();
  } catch (error) {
    return failed(error);
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  const settled = result.then((value: unknown) => {
    span.end();
    return value;
  }, failed);
  // It settles as the promise of `run` does.
  return settled as T;
}

/** No ids and no texts of the application, but names, and those without secrets. */
function factsOf(session: SessionFacts) {
  const { operation, policyId, maxAttempts, dependency, category } = session;
  return {
    'redrive.operation': textOf(operation),
    // The hash of a policy without an id looks like a secret.
    'redrive.policy': HASH.test(policyId) ? policyId : textOf(policyId),
    'redrive.max_attempts': maxAttempts,
    ...(dependency !== undefined && { 'redrive.dependency': textOf(dependency) }),
    ...(category !== undefined && { 'redrive.category': textOf(category) }),
  };
}

function fail(span: Span, error: SanitisedError | undefined): void {
  if (error !== undefined) span.setAttribute('error.type', textOf(error.type));
  span.setStatus({ code: SpanStatusCode.ERROR, ...(error && { message: textOf(error.message) }) });
}

function textOf(text: string): string {
  return maskSecrets(text, MAX_TEXT);
}
