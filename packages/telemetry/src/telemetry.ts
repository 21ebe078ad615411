import {
  type Clock,
  type EventSink,
  type HandOver,
  type Operation,
  type RetryRecord,
  syncSink,
  systemClock,
} from '@redrive/core';
import { aClock, type OptionTable, port, resolveOptions } from '@redrive/core/fields';
import { RetryCategory } from '@redrive/core/manager';
import type { Handlers, Notice } from '@redrive/durable';
import { type NameKind, NO_CATEGORY, OTHER } from './catalogue/labels.ts';
import type { MetricSource } from './catalogue/metric.ts';
import { Collectors } from './collect/collectors.ts';
import { type AskedStore, storeCollectors } from './collect/store-collectors.ts';
import { CONTENT_TYPES, expose, formatFor } from './exposition/exposition.ts';
import { NoticeCounters } from './observe/notice-counters.ts';
import { ProcessGauges } from './observe/process-gauges.ts';
import { RecordCounters } from './observe/record-counters.ts';
import type { Family, OnObserve } from './registry/family.ts';
import { Registry } from './registry/registry.ts';
import { Spans, tracedHandlers } from './trace/spans.ts';

export interface TelemetryOptions {
  /**
   * Names that may stand in labels, at most 200 of a kind; every other name is counted as `_other`. Handlers of a worker
   * are known from its start, and categories need no list: the built-in ones are known, and any other code (`RETRY_SEARCH`)
   * from its first record on. The metrics of sweeps are 0 for `collections` before their first sweep. Default: none.
   */
  readonly names?: Readonly<Partial<Record<NameKind, readonly string[]>>>;
  /** Asked for depths, dead letters, parked jobs, controls and seals. Default: none, and these metrics do not exist. */
  readonly store?: AskedStore;
  /** Whether `configReloaded` and `retryThresholds` will be called. Default `false`: their metrics do not exist. */
  readonly configuration?: boolean;
  /** Whether spans are made, where an OpenTelemetry SDK is installed. Default `true`. */
  readonly traces?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The options that `openTelemetry` has, too. */
export const SHARED_OPTIONS: OptionTable<Omit<TelemetryOptions, 'configuration'>> = {
  names: [{}],
  store: [undefined, port('a store with counts()')],
  traces: [true, { kind: 'boolean' }],
  clock: [systemClock, aClock],
};

const OPTIONS: OptionTable<TelemetryOptions> = {
  ...SHARED_OPTIONS,
  configuration: [false, { kind: 'boolean' }],
};

/** An answer to a scraper. */
export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** The section `alerts` of `redrive.yaml`: see `alertsSettings` of `@redrive/config`. */
export interface RetryThresholds {
  readonly retriesPerMinute: number;
  /** Of single categories, by code. `none`: of calls and jobs without a category. */
  readonly categories: Readonly<Record<string, number>>;
}

/** The metrics of one process. */
export interface Telemetry {
  /** For calls and jobs, as their option `events`. */
  readonly events: EventSink;
  /** For jobs, as their option `onNotice`. */
  readonly onNotice: (notice: Notice) => void;
  /** Handlers for `jobsOn` whose attempts run inside their spans, so that spans of their calls are children. */
  traced<H extends Handlers>(handlers: H): H;
  /** An operation for `retry` whose attempts run inside their spans. */
  tracedCall<T>(operation: Operation<T>): Operation<T>;
  /** The next rung for `handOver.to` of a call: the trace goes on there. */
  tracedHandOver(to: HandOver): HandOver;
  /** All metrics, in the format that the `Accept` header prefers: text 0.0.4, or OpenMetrics. Never rejects. */
  scrape(accept?: string): Promise<Exposition>;
  /** A changed configuration was read: it is in force, or it has errors and the last good one stays. */
  configReloaded(isInForce: boolean): void;
  /** Sets the thresholds of the alert `RedriveRetryRateHigh`, in retries per minute. */
  retryThresholds(thresholds: RetryThresholds): void;
  /** Adds names that may stand in labels. */
  learn(kind: NameKind, names: Iterable<string>): void;
  /** Stops measuring the event loop. */
  close(): void;
}

/**
 * Counts the records and notices of calls and jobs, and exposes them for Prometheus. It never delays work: counting is
 * synchronous and takes no I/O, and the store is asked only by a scrape.
 *
 * ```ts
 * const metrics = telemetry({ store });
 * const jobs = jobsOn(store, handlers, { events: metrics.events, onNotice: metrics.onNotice });
 * ```
 */
export function telemetry(options: TelemetryOptions = {}): Telemetry {
  return observed(resolveOptions('telemetry', options, OPTIONS)).telemetry;
}

/** Metrics with their parts, for another way to expose them. */
export interface Observed {
  readonly telemetry: Telemetry;
  readonly spans: Spans;
  readonly families: Iterable<Family>;
  /** Brings the families up to date that are not counted: those of the store and of the process. Never rejects. */
  refresh(): Promise<void>;
}

export function observed(options: Required<TelemetryOptions>, onObserve?: OnObserve): Observed {
  const { names, store, configuration, traces, clock } = options;
  const registry = new Registry(sourcesOf(store !== undefined, configuration), onObserve);
  registry.makeKnown();
  registry.learn('queues', ['default']);
  registry.learn('categories', [NO_CATEGORY, ...Object.values(RetryCategory)]);
  // The keys of an object of this type are kinds.
  const kinds = Object.entries(names) as [NameKind, readonly string[] | undefined][];
  const swept = new Set<string>();
  const learn = (kind: NameKind, own: Iterable<string>) => {
    const given = [...own];
    registry.learn(kind, given);
    if (kind === 'collections') for (const name of given) swept.add(name);
  };
  for (const [kind, own = []] of kinds) learn(kind, own);
  const spans = new Spans(traces);
  const records = new RecordCounters(registry, spans);
  const notices = new NoticeCounters(registry);
  const gauges = new ProcessGauges(registry);
  const collectors = new Collectors(registry, clock, store ? storeCollectors(store, swept) : []);
  // A process that makes no calls has no number of them.
  const running = () => registry.family('redrive_calls_running').number();
  const dropped = registry.family('redrive_records_dropped_total').number();

  // An error here is a mistake of this package: it costs a count, never a job.
  const countRecord = (record: RetryRecord): void => {
    try {
      records.count(record);
      spans.record(record);
    } catch {
      dropped.value += 1;
    }
  };
  const calls = syncSink((record) => {
    if (record.kind === 'session_ended') running().value -= 1;
    countRecord(record);
  });
  let thresholds: RetryThresholds | undefined;
  if (configuration) setReloaded(registry, clock, true);

  async function refresh(): Promise<void> {
    await collectors.refresh();
    gauges.read();
    // Here, because categories become known at any time.
    if (configuration && thresholds !== undefined) setThresholds(registry, thresholds);
  }

  const made: Telemetry = {
    events: {
      ...syncSink(countRecord),
      // The start of an attempt is counted nowhere: only a span needs it.
      wants: (kind) => kind !== 'attempt_started' || spans.areMade,
      open(session) {
        running().value += 1;
        spans.startCall(session.id, session.operationName);
        return calls.open(session);
      },
    },
    onNotice(notice) {
      try {
        notices.count(notice);
      } catch {
        dropped.value += 1;
      }
    },
    traced: (handlers) => tracedHandlers(spans, handlers),
    tracedCall: (operation) => (attempt) =>
      spans.within(attempt.sessionId, () => operation(attempt)),
    tracedHandOver: (to) => spans.handOver(to),
    async scrape(accept) {
      await refresh();
      const format = formatFor(accept);
      return { contentType: CONTENT_TYPES[format], body: expose(registry.families, format) };
    },
    configReloaded(isInForce) {
      if (!configuration) return;
      const result = isInForce ? 'success' : 'failure';
      registry.family('redrive_config_reloads_total').number(result).value += 1;
      setReloaded(registry, clock, isInForce);
    },
    retryThresholds(given) {
      registry.learn('categories', Object.keys(given.categories));
      thresholds = given;
    },
    learn,
    close: () => gauges.close(),
  };
  return { telemetry: made, spans, families: registry.families, refresh };
}

function sourcesOf(hasStore: boolean, configuration: boolean): ReadonlySet<MetricSource> {
  return new Set<MetricSource>([
    ...(['records', 'notices', 'process', 'telemetry'] as const),
    ...(hasStore ? (['counts', 'dead_letters', 'parks', 'controls', 'audit'] as const) : []),
    ...(configuration ? (['configuration'] as const) : []),
  ]);
}

function setReloaded(registry: Registry, clock: Clock, isInForce: boolean): void {
  registry.family('redrive_config_last_reload_successful').number().value = Number(isInForce);
  if (!isInForce) return;
  const time = registry.family('redrive_config_last_reload_success_timestamp_seconds').number();
  time.value = clock.now() / 1_000;
}

function setThresholds(
  registry: Registry,
  { retriesPerMinute, categories }: RetryThresholds,
): void {
  const family = registry.family('redrive_retries_per_minute_threshold');
  const own = new Map(Object.entries(categories));
  for (const category of [...registry.known.values('category'), OTHER]) {
    family.number(category).value = own.get(category) ?? retriesPerMinute;
  }
}
