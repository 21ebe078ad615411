import type { Operation } from '@redrive/core';
import { resolveOptions } from '@redrive/core/fields';
import type { JobsTelemetry } from '@redrive/durable';
import type { Bus } from '@redrive/durable/events';
import { Instruments } from './meter.ts';
import { observed, SHARED_OPTIONS, type TelemetryOptions } from './telemetry.ts';
import { traceHeaders } from './trace/spans.ts';

export type OpenTelemetryOptions = Omit<TelemetryOptions, 'configuration'>;

/** Spans and metrics for the OpenTelemetry SDK of the application. */
export interface OpenTelemetry extends JobsTelemetry {
  /** An operation for `retry` and pipelines whose attempts run inside their spans. Give `events` to the call as well. */
  call<T>(operation: Operation<T>): Operation<T>;
  /** A bus whose publishes are spans, and whose messages carry the trace. */
  bus<B extends Bus>(bus: B): B;
  /** Stops reporting metrics. */
  close(): void;
}

/**
 * Reports jobs, calls and events to the OpenTelemetry SDK that the application has started: spans of enqueues, attempts
 * and publishes in one trace, and all metrics, under their Prometheus names, through the meter. Call it after the start of
 * the SDK, because meters of the API do not wait for one. Without an SDK nothing is kept.
 *
 * ```ts
 * const store = memoryStore();
 * const jobs = jobsOn(store, { greet: () => 'hello' }, { telemetry: openTelemetry({ store }) });
 * ```
 *
 * @param options `store`: also reports depths, dead letters, parked jobs and controls of the store.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): OpenTelemetry {
  const resolved = resolveOptions('OpenTelemetry', options, SHARED_OPTIONS);
  const instruments = new Instruments();
  const { telemetry, spans, families, refresh } = observed(
    { ...resolved, configuration: false },
    instruments.onObserve,
  );
  instruments.report(families, refresh);
  return {
    events: telemetry.events,
    onNotice: telemetry.onNotice,
    attempt: (jobId, run) => spans.within(jobId, run),
    enqueue({ handler, count }, run) {
      const batch = count === 1 ? {} : { 'messaging.batch.message_count': count };
      return spans.sending('enqueue', handler, batch, run);
    },
    headers: () => traceHeaders(),
    handOver: telemetry.tracedHandOver,
    call: telemetry.tracedCall,
    bus: (bus) =>
      new Proxy(bus, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (name !== 'publish') return typeof value === 'function' ? value.bind(target) : value;
          return (messages: Parameters<Bus['publish']>[0]) => {
            const [first] = messages;
            if (first === undefined) return target.publish(messages);
            const batch =
              messages.length === 1 ? {} : { 'messaging.batch.message_count': messages.length };
            return spans.sending('publish', first.destination, batch, (headers) =>
              target.publish(
                messages.map((each) => ({ ...each, headers: { ...headers, ...each.headers } })),
              ),
            );
          };
        },
      }),
    close() {
      instruments.close();
      telemetry.close();
    },
  };
}
