import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { configuredBreakers, jobsSettings } from '@redrive/config';
import { systemClock } from '@redrive/core';
import { type FullStore, jobsOn, type Store } from '@redrive/durable';
import { breakers } from '@redrive/durable/control';
import type { RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { workerLog } from '../log/worker-log.ts';
import { policyFinder } from '../start/live-config.ts';
import { runWorker } from '../start/run-worker.ts';
import { startMetrics } from '../start/start-metrics.ts';
import { startSettings } from '../start/start-settings.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { type Io, printLines } from '../terminal/io.ts';
import { demoConfig, demoHandlers, enqueueFirst, keepEnqueueing } from './demo-handlers.ts';
import { liveView } from './live-view.ts';
import { recentLines } from './recent-lines.ts';
import {
  countedJobs,
  deadImport,
  nextStepLines,
  summaryLines,
  unfinished,
} from './summary-lines.ts';

const DEMO_FILE = 'redrive-demo.db';
const DEMO_STORE = `sqlite:./${DEMO_FILE}`;

/**
 * `redrive start --demo`: a real worker on a real store, with work that misbehaves. On a terminal it goes on until Ctrl-C
 * and draws the state of its jobs; in a pipe it prints its log and ends when its jobs are done.
 */
export const runDemo: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const named = textOption(options, 'store');
  if (named === undefined) refuseDanglingLink(io.directory);
  const url = named ?? DEMO_STORE;
  const isLive = io.screen.isTerminal && !options.json;
  const recent = recentLines();
  const level = textOption(options, 'logLevel');
  const log = workerLog(io, {
    level,
    plain: !isLive && !options.json,
    write: isLive ? recent.add : io.stdout,
  });
  const config = demoConfig();
  const current = () => config;
  const settings = startSettings(
    jobsSettings(config),
    { ...options, untilIdle: !isLive },
    io.directory,
  );
  const handlers = demoHandlers(clock, io.directory, settings.handlers);
  const store = await io.openStore(url, true);
  let closeConsole = async () => {};
  try {
    await store.migrate();
    const { serveConsole } = await import('../serve/start-console.ts');
    const parts = { config: current, store, url, clock, log };
    const { signInLink, close } = await serveConsole(invocation, parts, 0);
    closeConsole = close;
    // The jobs of the demo are not worth protecting.
    const link = signInLink?.('always');
    if (link !== undefined && !options.json) printLines(io, [link]);
    const { events, metrics } = startMetrics({ settings, config, store, clock, log });
    const configured = configuredBreakers(current, { events, clock });
    log.info({ event: 'demo.started' }, await welcome(store, isLive));
    const jobs = jobsOn(store, handlers, { clock, policies: policyFinder(current) });
    await enqueueFirst(jobs);
    const work = { settings, handlers, store, breakers: configured, events, metrics };
    const worker = { io, current, log, ...work };
    if (!isLive) {
      const code = await runWorker({ ...worker, untilIdle: true });
      if (!options.json) await printEnd(io, store, url);
      // Its dead jobs are part of the show.
      return code === EXIT.partial ? EXIT.ok : code;
    }
    const stopView = liveView({ io, clock, store, url, recent, link });
    const stopEnqueueing = keepEnqueueing(jobs, clock);
    const code = await runWorker({ ...worker, untilIdle: false });
    stopEnqueueing();
    await stopView();
    return code;
  } finally {
    await closeConsole().finally(() => store.close());
  }
};

/**
 * SQLite would create the file that the link names, wherever that is: in a directory that others may write, they choose it.
 *
 * @throws CliError
 */
function refuseDanglingLink(directory: string): void {
  const path = join(directory, DEMO_FILE);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || existsSync(path)) return;
  const message = `${DEMO_FILE} is a symbolic link to a file that does not exist.`;
  throw new CliError('refused', message, 'Remove the link, or name a store with --store.');
}

async function welcome(store: Store, isLive: boolean): Promise<string> {
  const left = unfinished(await store.counts());
  const end = isLive
    ? 'until Ctrl-C'
    : 'until all jobs are done, because its output is not a terminal';
  return left === 0
    ? `The demo begins with an empty queue and runs ${end}`
    : `The demo continues with ${countedJobs(left)} from before and runs ${end}`;
}

async function printEnd(io: Io, store: FullStore, url: string): Promise<void> {
  const { screen } = io;
  const [counts, deadId, named] = await Promise.all([
    store.counts(),
    deadImport(store),
    breakers(store),
  ]);
  printLines(io, [
    '',
    ...summaryLines(screen, counts, named),
    '',
    ...nextStepLines(screen, url, deadId, false),
  ]);
}
