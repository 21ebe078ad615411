import {
  type Config,
  type ConfiguredBreakers,
  configuredBudgets,
  escalationSettings,
  eventsSettings,
  type ScheduleSettings,
} from '@redrive/config';
import { type EventSink, systemClock } from '@redrive/core';
import { type FullStore, jobsOn, logNotice, type Notice } from '@redrive/durable';
import { changeFeedSchedule, SWEEP_HANDLER, sentCounter } from '@redrive/durable/documents';
import { ESCALATION_QUEUE, escalationSchedule } from '@redrive/durable/escalation';
import {
  DEAD_LETTER_HANDLER,
  DEAD_LETTER_QUEUE,
  deadLetterHandler,
  deadLetterSchedule,
  publishHandler,
} from '@redrive/durable/events';
import { DOCUMENT_QUEUE, sweepSchedule } from '@redrive/durable/store';
import { escalationHandlers } from '../escalation/escalation-handlers.ts';
import { closeBuses, openBuses } from '../events/configured-sources.ts';
import { publishedSources } from '../events/dead-letters.ts';
import { runSources } from '../events/run-sources.ts';
import type { Log } from '../log/worker-log.ts';
import { openSweeps } from '../sweep/configured-sweeps.ts';
import { documentHandlers } from '../sweep/document-handlers.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { fileArchive } from './file-archive.ts';
import { type HealthCheck, serveHealth } from './health-server.ts';
import { policyFinder } from './live-config.ts';
import { liveRates } from './live-rates.ts';
import type { LoadedHandlers } from './load-handlers.ts';
import type { WorkerMetrics } from './start-metrics.ts';
import type { StartSettings } from './start-settings.ts';
import { workUntilStopped } from './work-until-stopped.ts';

/** All that a worker is made of. */
interface WorkerParts {
  readonly io: Io;
  /** The configuration in force. */
  readonly current: () => Config;
  readonly settings: StartSettings;
  readonly handlers: LoadedHandlers;
  readonly store: FullStore;
  readonly breakers: ConfiguredBreakers;
  readonly events: EventSink;
  readonly log: Log;
  /** Served with health. Absent: neither metrics nor traces. */
  readonly metrics?: WorkerMetrics | undefined;
  readonly untilIdle: boolean;
  readonly schedules?: ReadonlyMap<string, ScheduleSettings>;
  /** Whether it makes the tables and brings them up to date. Default `true`. */
  readonly migrate?: boolean;
}

/** Works on a store until a signal comes, or until nothing is left to do, and serves its health. */
export async function runWorker(parts: WorkerParts): Promise<ExitCode> {
  const open: Close[] = [async () => parts.metrics?.close()];
  try {
    return await workWith(parts, (close) => void open.unshift(close));
  } finally {
    await closeInTurn(open);
  }
}

type Close = () => Promise<void>;

/** Closes all, whichever of them fails. @throws the first error. */
async function closeInTurn(open: readonly Close[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of open) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

async function workWith(parts: WorkerParts, onEnd: (close: Close) => void): Promise<ExitCode> {
  const { io, current, settings, store, breakers, events, log, untilIdle } = parts;
  const clock = io.clock ?? systemClock;
  const buses = await openBuses(io, current(), async () => store);
  onEnd(() => closeBuses(buses));
  // Requeued letters of "dlq import" and outgoing events of applications. A handler names its payload; a map of loaded
  // handlers does not.
  const readToken = store.readToken?.bind(store);
  const publish = publishHandler(buses, { readToken }) as LoadedHandlers[string];
  const isPublishing = Object.keys(buses).length > 0;
  const deadLetters = deadLetterHandler(store, buses, { clock }) as LoadedHandlers[string];
  const published = publishedSources(eventsSettings(current()).sources);
  const open = await openSweeps(io, current);
  onEnd(() => open.close());
  const escalating = escalationHandlers(io, current, store, clock);
  const ownQueues = [
    ...(published.length > 0 ? [DEAD_LETTER_QUEUE] : []),
    ...(open.sweeps.length > 0 ? [DOCUMENT_QUEUE] : []),
    ...(escalating === undefined ? [] : [ESCALATION_QUEUE]),
  ];
  const stopping = new AbortController();
  const { add: onSent, written } = sentCounter({ store, clock, intervalMs: open.intervalMs });
  onEnd(written);
  const rates = liveRates(current);
  const handlers: LoadedHandlers = {
    ...(isPublishing && { 'events.publish': publish }),
    ...(published.length > 0 && { [DEAD_LETTER_HANDLER]: deadLetters }),
    ...documentHandlers(open, buses, { io, store, clock, log, stop: stopping.signal, onSent }),
    ...escalating,
    ...rates.of(parts.handlers),
  };
  const queues = settings.queues && [...settings.queues, ...ownQueues];
  const { archive, ...kept } = settings.retention;
  let abandoned = 0;
  const jobs = jobsOn(store, parts.metrics?.traced(handlers) ?? handlers, {
    concurrency: settings.concurrency,
    ...(queues && { queues }),
    queueRates: rates.queues,
    leaseMs: settings.leaseMs,
    migrate: parts.migrate ?? true,
    retention: { ...kept, ...(archive === undefined ? {} : { archive: fileArchive(archive) }) },
    policies: policyFinder(current),
    breakers: { for: breakers.forJobs },
    budgets: configuredBudgets(current, { clock }),
    events,
    clock,
    onNotice: (notice: Notice) => {
      if (notice.kind === 'stopping') stopping.abort();
      if (notice.kind === 'stopped') abandoned = notice.abandoned;
      parts.metrics?.onNotice(notice);
      logNotice(log, notice);
    },
  });
  for (const [name, schedule] of parts.schedules ?? []) jobs.schedule(name, schedule);
  for (const source of published) jobs.schedule(...deadLetterSchedule(source));
  if (open.sweeps.length > 0) jobs.schedule(SWEEP_HANDLER, sweepSchedule(open.intervalMs));
  for (const feed of open.feeds) jobs.schedule(...changeFeedSchedule(feed));
  if (escalating !== undefined) {
    jobs.schedule(...escalationSchedule(escalationSettings(current()).lookEveryMs));
  }
  log.info({ event: 'store.opened', store: store.name }, `Jobs are kept in ${store.name}`);
  const checks: HealthCheck[] = ['worker', 'store'].map((name) => ({
    name,
    check: async () => (await jobs.health()).checks.find((each) => each.name === name)?.problem,
  }));
  const served = { checks, metrics: parts.metrics?.answer };
  const health = await serveHealth(settings.health, served, log);
  onEnd(async () => health?.close());
  const sources = runSources({ config: current(), buses, store, jobs, clock, log });
  onEnd(() => sources.stop());
  checks.push(...sources.checks);
  const names = Object.keys(handlers);
  const { graceMs } = settings;
  const { refused } = sources;
  const work = { io, jobs, store, clock, log, handlers: names, graceMs, untilIdle, published };
  const ended = await workUntilStopped({ ...work, refused });
  if (abandoned === 0) return ended;
  // Something still runs that does not listen to its signal: waiting for it would be no stop.
  const code = ended === EXIT.ok ? EXIT.partial : ended;
  io.exit(code);
  return code;
}
