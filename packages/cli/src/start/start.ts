import {
  configuredBreakers,
  escalationSettings,
  jobsSettings,
  schedulesSettings,
  storeSettings,
  sweepsSettings,
} from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { configuredStore, findStore } from '../config/configured-store.ts';
import { logFormat, workerLog } from '../log/worker-log.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { fileCauses } from './file-causes.ts';
import { type ConfigListeners, type LiveConfig, liveConfig } from './live-config.ts';
import { type LoadedHandlers, loadHandlers } from './load-handlers.ts';
import { noteChanges } from './note-changes.ts';
import { runWorker } from './run-worker.ts';
import { startMetrics } from './start-metrics.ts';
import { type StartSettings, startSettings } from './start-settings.ts';

export const runStart: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  if (options.fresh && !options.demo) {
    const message = '--fresh deletes the files of the demo, so it needs --demo.';
    throw new CliError('usage', message);
  }
  if (options.demo) return (await import('../demo/demo.ts')).runDemo(invocation);
  const format = logFormat(options);
  const plain = io.screen.isTerminal && !options.json && format === undefined;
  const log = workerLog(io, { level: textOption(options, 'logLevel'), plain, format });
  const clock = io.clock ?? systemClock;
  const changes = noteChanges(clock, log);
  const listeners: ConfigListeners = { onChange: changes.note };
  const live = await liveConfig(invocation, log, listeners);
  const { current } = live;
  try {
    const settings = startSettings(jobsSettings(current()), options, live.directory);
    const handlers = await handlersOf(invocation, live, settings);
    const url = await findStore(invocation, () => configuredStore(invocation, current()));
    const store = await io.openStore(url, true, (message) => {
      log.warn({ event: 'store.warning' }, message);
    });
    const { migrate } = storeSettings(current());
    let closeConsole = async () => {};
    let closeCauses = async () => {};
    try {
      // Before anything else is written. Without it, the start of the worker says that tables are missing or old.
      if (migrate) await store.migrate();
      changes.writeTo(store, current(), live.lastChange());
      if (options.console) {
        const { startConsole } = await import('../serve/start-console.ts');
        closeConsole = await startConsole(invocation, { config: current, store, url, clock, log });
      }
      const { metrics, events } = startMetrics({ settings, config: current(), store, clock, log });
      const causes = fileCauses({ store, current, clock, log });
      closeCauses = causes.close;
      listeners.onReload = (isInForce) => {
        metrics.reloaded(isInForce, current());
        causes.changed();
      };
      const breakers = configuredBreakers(current, { events, clock });
      const untilIdle = options.untilIdle === true;
      const worker = { io, current, settings, handlers, store, breakers, events, log, untilIdle };
      const parts = { ...worker, metrics, migrate, schedules: schedulesSettings(current()) };
      return await runWorker(parts).catch(ofHandlers);
    } finally {
      changes.close();
      // After the worker, so that its stop can be seen, and before the store.
      await closeCauses();
      await closeConsole().finally(() => store.close());
    }
  } finally {
    live.close();
  }
};

/** Options that a module gives its handlers are not part of the command line. */
function ofHandlers(error: unknown): never {
  if (!isRedriveError(error, 'invalid_option')) throw error;
  throw new CliError('failed', error.message, undefined, { cause: error });
}

async function handlersOf(
  { io }: Invocation,
  { current, directory }: LiveConfig,
  { handlers }: StartSettings,
): Promise<LoadedHandlers> {
  // A worker may have nothing to do but to sweep documents, or to look for escalations.
  const { channels } = escalationSettings(current());
  const hasOwnWork =
    sweepsSettings(current()).collections.length > 0 || Object.keys(channels).length > 0;
  if (handlers.size > 0 || hasOwnWork) {
    const { http } = jobsSettings(current());
    const clock = io.clock ?? systemClock;
    return loadHandlers(handlers.values(), { directory, env: io.env, http, clock });
  }
  const where = current().file ?? 'The configuration';
  const hint =
    'Declare them under jobs.handlers ("redrive config init" writes a sample). If they are in the code of your application, it starts the worker itself, with jobsOn(…).start(). To see how it works: "redrive start --demo".';
  throw new CliError('failed', `${where} has no handlers, so there is nothing to start.`, hint);
}
