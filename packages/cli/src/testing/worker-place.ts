import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { type Jobs, jobsOn, memoryStore } from '@redrive/durable';
import type { StopSignal } from '../terminal/signals.ts';
import { type Ran, type RunOptions, runMain } from './run-main.ts';
import { scratchDirectory } from './scratch-directory.ts';

const HANDLERS = `
export const mail = async ({ failures = 0 }, { attempt, lastError }) => {
  if (attempt <= failures) throw new Error('connection reset');
  return { attempt, lastError };
};
export default { run: async () => 'default export', idempotent: true };
export const notAHandler = 7;
`;

/** A policy that does not wait long. */
export const POLICIES = `version: "1.1.0"
policies:
  quick: { name: Quick, max_attempts: 3, backoff_type: fixed, base_delay: 0.01, max_delay: 1, jitter_type: none }
`;

/** Handlers of every kind. */
export const CONFIG = `${POLICIES}jobs:
  handlers:
    mail: { module: "./handlers.mjs", export: mail, policy: quick, idempotent: true }
    plain: { module: handlers.mjs, idempotent: true }
    shell: { command: ["./shout.sh", "hey"], policy: quick, idempotent: true }
`;

const SCRIPT = '#!/bin/sh\nread payload\necho "[$payload, \\"$1\\", \\"$(basename $PWD)\\"]"\n';

type CleanUp = () => void | Promise<void>;
type OnTestFinished = (cleanUp: CleanUp) => void;
type AnyHandlers = Readonly<
  Record<'mail' | 'plain' | 'shell' | 'slow', (payload: object) => unknown>
>;

export interface WorkerPlace {
  readonly directory: string;
  readonly store: FullStore;
  /** Enqueues and waits. */
  readonly client: Jobs<AnyHandlers>;
  /** `redrive start`, in this process. */
  readonly start: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
}

/** A directory with handlers and their configuration, and a store in memory. */
export function workerPlace(onTestFinished: OnTestFinished, config = CONFIG): WorkerPlace {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': config,
    'handlers.mjs': HANDLERS,
    'shout.sh': SCRIPT,
  });
  chmodSync(join(directory, 'shout.sh'), 0o755);
  const store = memoryStore();
  const nothing = (_payload: object) => undefined;
  const handlers: AnyHandlers = { mail: nothing, plain: nothing, shell: nothing, slow: nothing };
  const env = { PATH: process.env.PATH };
  return {
    directory,
    store,
    client: jobsOn(store, handlers),
    start: (args, options = {}) =>
      runMain(['start', ...args], { store, directory, env, ...options }),
  };
}

/** A line of a worker's log. */
export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export function linesOf({ stdout }: Pick<Ran, 'stdout'>): LogLine[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Starts a worker, gives what it prints as it comes, and stops it at the end of the test. */
export function runningWorker(
  onTestFinished: OnTestFinished,
  { start }: Pick<WorkerPlace, 'start'>,
  args: readonly string[],
  options: RunOptions = {},
) {
  let send: (signal: StopSignal) => void = () => {};
  let printed = '';
  const exits: number[] = [];
  const ran = start([...args, '--json'], {
    ...options,
    onSignals: (sender) => {
      send = sender;
    },
    onStdout: (text) => {
      printed += text;
    },
    onExit: (code) => exits.push(code),
  });
  onTestFinished(async () => {
    send('SIGTERM');
    send('SIGTERM');
    await ran;
  });
  const lines = () => linesOf({ stdout: printed });
  return {
    ran,
    exits,
    lines,
    signal: (signal: StopSignal) => send(signal),
    /** The first line about this, now or later. */
    line: (event: string, isIt: (line: LogLine) => boolean = () => true) =>
      until(() => lines().find((line) => line.event === event && isIt(line))),
  };
}

/** Looks again and again, because a log does not notify when it has grown. Gives up, so that a failing test ends. */
async function until<T>(look: () => T | undefined): Promise<T> {
  const startMs = systemClock.monotonic();
  while (systemClock.monotonic() - startMs < 20_000) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => systemClock.setTimer(5, resolve));
  }
  throw new Error('It did not happen');
}
