import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** A span as a test sees it. */
export interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly attributes: Attributes;
  status: SpanStatus;
  ended: boolean;
  readonly startTime: TimeInput | undefined;
}

/** An SDK that keeps spans: a provider of tracers and a context manager, without a dependency. */
export function installFakeSdk({ isSampled = true } = {}) {
  const spans: SeenSpan[] = [];
  let last = 0;
  const id = (digits: number) => (++last).toString(16).padStart(digits, '0');

  function startSpan(name: string, options: SpanOptions = {}, given?: Context): Span {
    const parent = trace.getSpanContext(given ?? context.active());
    const seen: SeenSpan = {
      name,
      traceId: parent?.traceId ?? id(32),
      spanId: id(16),
      parentId: parent?.spanId,
      attributes: { ...options.attributes },
      status: { code: SpanStatusCode.UNSET },
      ended: false,
      startTime: options.startTime,
    };
    spans.push(seen);
    const { traceId, spanId } = seen;
    const own: SpanContext = { traceId, spanId, traceFlags: Number(isSampled) };
    const span: Span = {
      spanContext: () => own,
      setAttribute(key, value) {
        seen.attributes[key] = value;
        return span;
      },
      setAttributes(attributes) {
        Object.assign(seen.attributes, attributes);
        return span;
      },
      setStatus(status) {
        seen.status = status;
        return span;
      },
      end() {
        seen.ended = true;
      },
      isRecording: () => isSampled && !seen.ended,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      updateName: () => span,
      recordException: () => {},
    };
    return span;
  }

  // Nothing here calls `startActiveSpan`.
  const tracer = { startSpan } as unknown as Tracer;
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) =>
      storage.run(active, () => run.call(self as never, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  context.setGlobalContextManager(manager);
  return {
    spans,
    tracer,
    remove() {
      trace.disable();
      context.disable();
    },
  };
}
