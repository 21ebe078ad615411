import {
  alertsSettings,
  type Config,
  categoriesOf,
  eventsSettings,
  schedulesSettings,
  sweepsSettings,
} from '@redrive/config';
import { type Clock, type EventSink, syncSink } from '@redrive/core';
import { type FullStore, logRecords, type Notice } from '@redrive/durable';
import { ESCALATION_QUEUE, NOTIFY_HANDLER } from '@redrive/durable/escalation';
import { DEAD_LETTER_QUEUE } from '@redrive/durable/events';
import { DOCUMENT_QUEUE } from '@redrive/durable/store';
import { type ExpositionFormat, formatFor, type Telemetry, telemetry } from '@redrive/telemetry';
import type { Log } from '../log/worker-log.ts';
import type { Served } from './health-server.ts';
import { ScrapeNotes } from './scrape-notes.ts';
import type { StartSettings } from './start-settings.ts';

export interface MetricsParts {
  readonly settings: Pick<StartSettings, 'health' | 'handlers' | 'queues'>;
  readonly config: Config;
  readonly store: FullStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** The metrics and traces of a worker. */
export interface WorkerMetrics {
  readonly onNotice: (notice: Notice) => void;
  /** Handlers whose attempts run inside their spans. */
  readonly traced: Telemetry['traced'];
  /** The answer to a scraper. Absent: metrics are not served. */
  readonly answer: Served['metrics'];
  /** The files of the configuration were read again. */
  reloaded(isInForce: boolean, config: Config): void;
  /** Records the scrapes that are not on record yet. */
  close(): Promise<void>;
}

/** An answer serves all scrapers for this time: a hundred of them cost the worker one text a second and format. */
const ANSWER_MS = 1_000;

interface LastAnswer {
  readonly atMs: number;
  readonly answer: ReturnType<Telemetry['scrape']>;
}

/** The sink of a worker: its log, metrics and traces. Traces need no port. */
export function startMetrics(parts: MetricsParts): {
  readonly events: EventSink;
  readonly metrics: WorkerMetrics;
} {
  const { settings, config, store, clock, log } = parts;
  const lines = logRecords(log);
  const isServed = settings.health !== undefined;
  const counts = telemetry({ ...(isServed && { store }), clock, configuration: true });
  counts.learn('operations', [...settings.handlers.keys(), 'events.publish', NOTIFY_HANDLER]);
  counts.learn('queues', settings.queues ?? []);
  learn(counts, settings, config);
  counts.learn(
    'collections',
    sweepsSettings(config).collections.map(({ name }) => name),
  );
  const notes = new ScrapeNotes(store, clock, log);
  const lasts = new Map<ExpositionFormat, LastAnswer>();
  const answer: NonNullable<Served['metrics']> = ({ accept, ...scraper }) => {
    notes.scraped(scraper);
    const atMs = clock.monotonic();
    // Not by the header itself: every scraper may write it in its own way.
    const format = formatFor(accept);
    const last = lasts.get(format);
    if (last !== undefined && atMs - last.atMs < ANSWER_MS) return last.answer;
    const text = counts.scrape(accept);
    lasts.set(format, { atMs, answer: text });
    return text;
  };
  return {
    events: syncSink((record) => {
      counts.events.emit(record);
      lines.emit(record);
    }),
    metrics: {
      onNotice: counts.onNotice,
      traced: counts.traced,
      answer: isServed ? answer : undefined,
      reloaded(isInForce, now) {
        learn(counts, settings, now);
        counts.configReloaded(isInForce);
      },
      async close() {
        counts.close();
        await notes.close();
      },
    },
  };
}

/** The names of a configuration that may stand in labels. A breaker without a dependency has the name of its policy. */
function learn(
  counts: Telemetry,
  { handlers }: Pick<StartSettings, 'handlers'>,
  config: Config,
): void {
  const own = [...handlers.values()].flatMap(({ dependency }) => dependency ?? []);
  const named = [...config.policies.values()].flatMap(({ policy }) => policy.dependency || []);
  counts.learn('dependencies', [...own, ...named, ...config.policies.keys()]);
  counts.learn('categories', categoriesOf(config));
  counts.retryThresholds(alertsSettings(config));
  // The events of a source have a queue of its name.
  const sources = eventsSettings(config).sources.map(({ name }) => name);
  counts.learn('services', sources);
  const scheduled = [...schedulesSettings(config).values()].map(({ queue }) => queue);
  counts.learn('queues', [
    ...sources,
    ...scheduled,
    DEAD_LETTER_QUEUE,
    DOCUMENT_QUEUE,
    ESCALATION_QUEUE,
  ]);
}
