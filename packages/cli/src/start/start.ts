import {
  configuredBreakers,
  configuredBudgets,
  type JobsSettings,
  jobsSettings,
} from '@redrive/config';
import { systemClock } from '@redrive/core';
import { jobsOn, type Notice } from '@redrive/durable';
import type { Store } from '@redrive/durable/store';
import type { Invocation, Options, RunCommand } from '../command/command-spec.ts';
import { integerOption, listOption, textOption } from '../command/option-values.ts';
import { logNotice } from '../log/log-notice.ts';
import { logRecords } from '../log/log-records.ts';
import { type Log, workerLog } from '../log/worker-log.ts';
import { findStore } from '../store/find-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { parseDuration } from '../terminal/parse-time.ts';
import { type LiveConfig, liveConfig, policyFinder } from './live-config.ts';
import { type LoadedHandlers, loadHandlers } from './load-handlers.ts';
import { noteChanges } from './note-changes.ts';
import { type HealthWish, serveHealth } from './serve-health.ts';
import { storeCheck } from './store-check.ts';
import { workUntilStopped } from './work-until-stopped.ts';

/** `redrive start` */
export const runStart: RunCommand = async (invocation) => {
  if (invocation.options.demo) return (await import('../demo/demo.ts')).runDemo(invocation);
  const { io, options } = invocation;
  const log = workerLog(io, {
    level: textOption(options, 'logLevel'),
    asJson: options.json === true,
  });
  const changes = noteChanges();
  const live = await liveConfig(invocation, log, changes.note);
  try {
    const settings = settingsOf(jobsSettings(live.current()), options);
    const handlers = await handlersOf(invocation, live, settings);
    const url = await findStore(invocation, async () => live.current());
    const store = await io.openStore(url, true);
    try {
      changes.writeTo(store);
      return await work(invocation, { live, settings, handlers, store, log });
    } finally {
      await store.close();
    }
  } finally {
    live.close();
  }
};

/** What the file says, and the command line on top. */
interface StartSettings extends JobsSettings {
  readonly health: HealthWish | undefined;
}

function settingsOf(settings: JobsSettings, options: Options): StartSettings {
  const queues = listOption(options, 'queue');
  const grace = textOption(options, 'grace');
  return {
    ...settings,
    concurrency:
      integerOption(options, 'concurrency', { min: 1, max: 10_000 }) ?? settings.concurrency,
    ...(queues.length === 0 ? {} : { queues }),
    graceMs: grace === undefined ? settings.graceMs : parseDuration(grace, '--grace'),
    health: healthOf(settings, options),
  };
}

/** A run that ends by itself is nobody's service, so it serves health only when asked to. */
function healthOf({ healthPort }: JobsSettings, options: Options): HealthWish | undefined {
  if (options.healthPort === 'off') return undefined;
  const port = integerOption(options, 'healthPort', { min: 0, max: 65_535 });
  if (port !== undefined) return { port, named: true };
  return options.untilIdle ? undefined : { port: healthPort, named: false };
}

async function handlersOf(
  { io }: Invocation,
  { current, directory }: LiveConfig,
  { handlers }: StartSettings,
): Promise<LoadedHandlers> {
  if (handlers.size > 0) {
    return loadHandlers(handlers.values(), { directory, searchPath: io.env.PATH });
  }
  const where = current().file ?? 'The configuration';
  const hint =
    'Declare them under jobs.handlers ("redrive config init" writes a sample), or see how it works with "redrive start --demo".';
  throw new CliError('failed', `${where} has no handlers, so there is nothing to start.`, hint);
}

/** All that a worker is made of. */
interface Parts {
  readonly live: LiveConfig;
  readonly settings: StartSettings;
  readonly handlers: LoadedHandlers;
  readonly store: Store;
  readonly log: Log;
}

async function work({ io, options }: Invocation, parts: Parts): Promise<ExitCode> {
  const { live, settings, handlers, store, log } = parts;
  const clock = io.clock ?? systemClock;
  let stopping = false;
  let abandoned = 0;
  const events = logRecords(log);
  const jobs = jobsOn(store, handlers, {
    concurrency: settings.concurrency,
    ...(settings.queues === undefined ? {} : { queues: settings.queues }),
    leaseMs: settings.leaseMs,
    retention: settings.retention,
    policies: policyFinder(live.current),
    breakers: configuredBreakers(live.current, { events, clock }),
    budgets: configuredBudgets(live.current, { clock }),
    events,
    clock,
    onNotice: (notice: Notice) => {
      if (notice.kind === 'stopping') stopping = true;
      if (notice.kind === 'stopped') abandoned = notice.abandoned;
      logNotice(log, notice);
    },
  });
  const checks = [
    { name: 'worker', check: () => (stopping ? 'stopping' : undefined) },
    storeCheck(store, clock),
  ];
  const health = await serveHealth(settings.health, checks, log);
  try {
    log.info({ event: 'store.opened', store: store.name }, `Jobs are kept in ${store.name}`);
    const ended = await workUntilStopped({
      io,
      jobs,
      store,
      clock,
      log,
      handlers: Object.keys(handlers),
      graceMs: settings.graceMs,
      untilIdle: options.untilIdle === true,
    });
    if (abandoned === 0) return ended;
    // Something still runs that does not listen to its signal: waiting for it would be no stop.
    const code = ended === EXIT.ok ? EXIT.partial : ended;
    io.exit(code);
    return code;
  } finally {
    await health?.close();
  }
}
