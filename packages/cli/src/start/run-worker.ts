import {
  type Config,
  type ConfiguredBreakers,
  configuredBudgets,
  type ScheduleSettings,
} from '@redrive/config';
import { type EventSink, systemClock } from '@redrive/core';
import { type FullStore, jobsOn, logNotice, type Notice } from '@redrive/durable';
import { publishHandler } from '@redrive/durable/events';
import { openBuses } from '../events/configured-sources.ts';
import { runSources } from '../events/run-sources.ts';
import type { Log } from '../log/worker-log.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { fileArchive } from './file-archive.ts';
import { serveHealth } from './health-server.ts';
import { policyFinder } from './live-config.ts';
import type { LoadedHandlers } from './load-handlers.ts';
import type { StartSettings } from './start-settings.ts';
import { StoreTrouble, storeCheck } from './store-check.ts';
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
  readonly untilIdle: boolean;
  readonly schedules?: ReadonlyMap<string, ScheduleSettings>;
  /** Whether it makes the tables and brings them up to date. Default `true`. */
  readonly migrate?: boolean;
}

/** Works on a store until a signal comes, or until nothing is left to do; and tells whoever asks how it is. */
export async function runWorker(parts: WorkerParts): Promise<ExitCode> {
  const { io, current, settings, store, breakers, events, log, untilIdle } = parts;
  const clock = io.clock ?? systemClock;
  const buses = await openBuses(io, current(), store);
  // Requeued letters of "dlq import" and outgoing events of applications. A handler names its payload; a map of loaded
  // handlers does not.
  const publish = publishHandler(buses) as LoadedHandlers[string];
  const isPublishing = Object.keys(buses).length > 0;
  const handlers: LoadedHandlers = {
    ...(isPublishing && { 'events.publish': publish }),
    ...parts.handlers,
  };
  const { archive, ...kept } = settings.retention;
  const trouble = new StoreTrouble(clock);
  let stopping = false;
  let abandoned = 0;
  const jobs = jobsOn(store, handlers, {
    concurrency: settings.concurrency,
    ...(settings.queues === undefined ? {} : { queues: settings.queues }),
    leaseMs: settings.leaseMs,
    migrate: parts.migrate ?? true,
    retention: { ...kept, ...(archive === undefined ? {} : { archive: fileArchive(archive) }) },
    policies: policyFinder(current),
    breakers: { for: breakers.forJobs },
    budgets: configuredBudgets(current, { clock }),
    events,
    clock,
    onNotice: (notice: Notice) => {
      if (notice.kind === 'stopping') stopping = true;
      if (notice.kind === 'stopped') abandoned = notice.abandoned;
      trouble.hear(notice);
      logNotice(log, notice);
    },
  });
  for (const [name, schedule] of parts.schedules ?? []) jobs.schedule(name, schedule);
  log.info({ event: 'store.opened', store: store.name }, `Jobs are kept in ${store.name}`);
  const worker = { name: 'worker', check: () => (stopping ? 'stopping' : undefined) };
  const sources = await runSources({ io, config: current(), store, jobs, clock, log });
  const checks = [worker, storeCheck(store, clock, trouble), ...sources.checks];
  const health = await serveHealth(settings.health, checks, log).catch(async (error: unknown) => {
    await sources.stop();
    throw error;
  });
  try {
    const names = Object.keys(handlers);
    const { graceMs } = settings;
    const work = { io, jobs, store, clock, log, handlers: names, graceMs, untilIdle };
    const ended = await workUntilStopped(work);
    if (abandoned === 0) return ended;
    // Something still runs that does not listen to its signal: waiting for it would be no stop.
    const code = ended === EXIT.ok ? EXIT.partial : ended;
    io.exit(code);
    return code;
  } finally {
    await sources.stop();
    await health?.close();
    await Promise.all(Object.values(buses).map((bus) => bus.close()));
  }
}
