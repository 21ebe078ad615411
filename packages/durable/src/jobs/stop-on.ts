import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { aClock, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { GRACE_MS } from '../worker/worker-control.ts';
import type { StopOptions } from './jobs.ts';

/** Has `stop()`, like jobs and consumers, or `close()`, like stores, buses and HTTP servers, also those of Node. */
export type Stoppable =
  | { stop(): PromiseLike<unknown> | unknown }
  | { close(): PromiseLike<unknown> | unknown };

/** The parts of a program, by when they stop: all parts of a group stop together, and the next group begins after them. */
export interface ProgramParts {
  /** First: parts that bring new work, such as consumers and servers. */
  readonly sources?: readonly Stoppable[];
  /** Then: results of `jobsOn`. Running jobs may finish, and may still publish and enqueue. */
  readonly jobs?: readonly { stop(options: StopOptions): PromiseLike<unknown> }[];
  /** Then: connections that jobs publish through. */
  readonly buses?: readonly Stoppable[];
  /** Last: stores, pools, and everything that the parts above use. */
  readonly stores?: readonly Stoppable[];
}

export interface StopOnOptions {
  /** Default `SIGTERM` and `SIGINT`. */
  readonly signals?: readonly NodeJS.Signals[];
  /** As of `jobs.stop`: how long running jobs may take to finish. Then they are released, uncharged. Default 30,000; a second signal: 0. */
  readonly graceMs?: number;
  /** For tests. Default: the system's. */
  readonly clock?: Clock;
}

export interface StopOnSignal {
  /**
   * Resolves when everything has stopped. If parts fail to stop, the others stop all the same, and it rejects with an
   * AggregateError; without a listener that ends the process with an error, as every unhandled rejection does.
   */
  readonly stopped: Promise<void>;
  /** Stops as the first signal does. A second call is a second signal. */
  stop(): Promise<void>;
}

/** The part of `process` that it needs. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

/** A part that takes longer is left behind: the platform would kill the process in the middle. */
const PART_MS = 5_000;

/**
 * Stops a program on a signal, in the order that loses nothing: sources take no more work, running jobs finish, then
 * buses and stores close. It ends no process: Node does when nothing is left to do.
 *
 * ```ts
 * const store = memoryStore();
 * const jobs = jobsOn(store, { greet: async (name: string) => console.log(name) });
 * await jobs.start();
 * const { stop } = stopOn(process, { jobs: [jobs], stores: [store] }, { graceMs: 20_000 });
 * await stop(); // or SIGTERM
 * ```
 *
 * A second signal releases the running jobs at once. After the end the signals have their usual effect again.
 *
 * @throws RedriveError `invalid_option`.
 */
export function stopOn(
  signals: SignalSource,
  parts: ProgramParts,
  options: StopOnOptions = {},
): StopOnSignal {
  const { signals: names, graceMs, clock } = resolveOptions('stopOn', options, OPTIONS);
  checkParts(parts);
  const { sources = [], jobs = [], buses = [], stores = [] } = parts;
  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  let calls = 0;

  function stop(): Promise<void> {
    calls += 1;
    if (calls === 1) void run().then(resolve, reject).finally(release);
    if (calls === 2) for (const each of jobs) void stopJobs(each, { mode: 'release', graceMs: 0 });
    return stopped;
  }

  async function run(): Promise<void> {
    const errors: unknown[] = [];
    const all = async (group: readonly Promise<unknown>[]) => {
      for (const end of await Promise.allSettled(group)) {
        if (end.status === 'rejected') errors.push(end.reason);
      }
    };
    await all(sources.map((part) => within(clock, end(part))));
    // They bound themselves, by the grace time.
    await all(jobs.map(async (each) => each.stop({ mode: 'finish', graceMs })));
    await all(buses.map((part) => within(clock, end(part))));
    await all(stores.map((part) => within(clock, end(part))));
    if (errors.length > 0) throw new AggregateError(errors, 'Some parts failed to stop');
  }

  function release(): void {
    for (const name of names) signals.off(name, onSignal);
  }
  const onSignal = (): void => void stop();
  for (const name of names) signals.on(name, onSignal);
  return { stopped, stop };
}

/** The first call reports the error of a stop that fails. */
async function stopJobs(
  jobs: { stop(options: StopOptions): PromiseLike<unknown> },
  how: StopOptions,
) {
  try {
    await jobs.stop(how);
  } catch {}
}

/** Also catches what a part throws at once. */
async function end(part: Stoppable): Promise<unknown> {
  if ('stop' in part) return part.stop();
  const closing = part.close();
  // A server of Node returns itself at once. Its event says that the last request has ended.
  const { once } = Object(closing);
  if (closing !== part || typeof once !== 'function') return closing;
  return new Promise((resolve) => once.call(part, 'close', resolve));
}

async function within(clock: Clock, ending: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = clock.setTimer(PART_MS, () =>
    reject(new Error(`A part did not stop within ${PART_MS} ms`)),
  );
  try {
    await Promise.race([ending, late]);
  } finally {
    timer.cancel();
  }
}

const OPTIONS: OptionTable<StopOnOptions> = {
  signals: [
    ['SIGTERM', 'SIGINT'],
    {
      kind: 'check',
      must: 'a list of names of signals',
      obeys: (value) => Array.isArray(value) && value.length > 0,
    },
  ],
  graceMs: GRACE_MS,
  clock: [systemClock, aClock],
};

const GROUPS = ['sources', 'jobs', 'buses', 'stores'] as const;

/** Plain JavaScript may pass a part alone, or a group that does not exist. */
function checkParts(parts: ProgramParts): void {
  const problem = problemOf(parts);
  if (problem !== undefined) throw new RedriveError('invalid_option', `stopOn: ${problem}`);
}

function problemOf(parts: ProgramParts): string | undefined {
  const other = Object.keys(Object(parts)).find((key) => !GROUPS.some((group) => group === key));
  if (other !== undefined) return `there is no group ${other}; the groups are ${GROUPS.join(', ')}`;
  for (const group of GROUPS) {
    const list: unknown = Object(parts)[group] ?? [];
    if (!Array.isArray(list)) return `${group} must be a list`;
    const wrong = list.findIndex((part) => !isStoppable(part));
    if (wrong >= 0) return `${group}[${wrong}] has neither stop() nor close()`;
  }
  return undefined;
}

function isStoppable(part: unknown): boolean {
  const { stop, close } = Object(part);
  return typeof stop === 'function' || typeof close === 'function';
}
