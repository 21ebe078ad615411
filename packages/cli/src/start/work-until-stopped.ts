import type { Clock } from '@redrive/core';
import type { FullStore, Jobs } from '@redrive/durable';
import type { StoppedJobs } from '@redrive/durable/control';
import { type Published, unpublishedSource } from '../events/dead-letters.ts';
import type { Log } from '../log/worker-log.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { onSignals } from '../terminal/until-stopped.ts';
import type { LoadedHandlers } from './load-handlers.ts';

interface WorkOptions {
  readonly io: Io;
  readonly jobs: Jobs<LoadedHandlers>;
  readonly store: FullStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly handlers: readonly string[];
  readonly graceMs: number;
  readonly untilIdle: boolean;
  /** Sources whose dead letters are published before it is idle. */
  readonly published: readonly Published[];
  /** Resolves where it must not work at all. Jobs may have begun by then: they end as with a signal. */
  readonly refused: Promise<CliError>;
}

/**
 * Works until a signal comes, or until nothing is left to do. The first signal lets what runs end within the grace time;
 * a second one takes it away; a third one ends the process.
 */
export async function workUntilStopped(options: WorkOptions): Promise<ExitCode> {
  const { io, jobs, untilIdle } = options;
  const first = Promise.withResolvers<'signal'>();
  const second = Promise.withResolvers<void>();
  const release = onSignals(io, [
    () => first.resolve('signal'),
    () => second.resolve(),
    () => io.exit(EXIT.interrupted),
  ]);
  try {
    await jobs.start();
    const ended = await Promise.race([
      first.promise,
      options.refused,
      ...(untilIdle ? [idle(options)] : []),
    ]);
    const forced = await stop(options, second.promise);
    if (ended instanceof CliError) throw ended;
    if (forced) return EXIT.interrupted;
    // A caller with `--until-idle` must see that not everything is done.
    if (ended === 'signal') return untilIdle ? EXIT.interrupted : EXIT.ok;
    return ended.died + ended.left > 0 ? EXIT.partial : EXIT.ok;
  } finally {
    release();
  }
}

/** The time between two looks at letters that are not published: they are published every 15 s. */
const UNPUBLISHED_MS = 1_000;
/** Kinds of jobs that it names when it ends with jobs left. */
const MAX_LEFT_LINES = 20;

async function idle(options: WorkOptions) {
  const { jobs, store, handlers, clock, log } = options;
  const stopWatching = watchStrangeJobs(store, handlers, clock, log);
  try {
    let isSaid = false;
    for (;;) {
      const { died, succeeded, left } = await jobs.idle();
      const source = await unpublished(options);
      if (source === undefined) {
        tellLeft(left, log);
        const count = left.reduce((sum, group) => sum + group.count, 0);
        const what = count === 0 ? 'No jobs are left' : `No job can run, ${count} left`;
        const text = `${what}: ${succeeded} succeeded, ${died} died`;
        log.info({ event: 'idle', succeeded, died, left: count }, text);
        return { died, left: count };
      }
      if (!isSaid && source !== 'unknown') {
        isSaid = true;
        const { name, publishTo } = source;
        const text = `Dead letters of ${name} are not published to ${publishTo} yet: it waits for them`;
        log.info({ event: 'idle.dead_letters', source: name, publish_to: publishTo }, text);
      }
      await new Promise<void>((resolve) => clock.setTimer(UNPUBLISHED_MS, resolve));
    }
  } finally {
    stopWatching();
  }
}

/** Says which jobs it leaves, and why. */
function tellLeft(left: readonly StoppedJobs[], log: Log): void {
  for (const { count, handler, queue, stoppedBy } of left.slice(0, MAX_LEFT_LINES)) {
    const jobs = count === 1 ? 'job is' : 'jobs are';
    const text = `${count} ${jobs} left in ${queue} for the handler ${handler}, stopped by ${stoppedBy}`;
    log.warn({ event: 'idle.left', handler, queue, count, stopped_by: stoppedBy }, text);
  }
  const more = left.length - MAX_LEFT_LINES;
  if (more > 0) log.warn({ event: 'idle.left' }, `${more} more kinds of jobs are left`);
}

/** `unknown`: the store does not answer, which the worker itself says. */
function unpublished({
  store,
  published,
}: WorkOptions): Promise<Published | 'unknown' | undefined> {
  return unpublishedSource(store, published).catch(() => 'unknown' as const);
}

/** Whether it had to be forced. */
async function stop({ jobs, graceMs }: WorkOptions, second: Promise<void>): Promise<boolean> {
  let forced = false;
  const force = second.then(() => {
    forced = true;
    return jobs.stop({ mode: 'release', graceMs: 0 });
  });
  await Promise.race([jobs.stop({ mode: 'finish', graceMs }), force]);
  return forced;
}

/** A caller with `--until-idle` should learn soon, and then once a minute, that some jobs will never run. */
const FIRST_LOOK_MS = 5_000;
const LOOK_MS = 60_000;

/**
 * Says now and then which jobs keep a worker from being idle though it will never run them: no handler of it takes them.
 * Answers how to stop.
 */
export function watchStrangeJobs(
  store: FullStore,
  handlers: readonly string[],
  clock: Clock,
  log: Log,
): () => void {
  let stopped = false;
  let timer = clock.setTimer(FIRST_LOOK_MS, look);

  function look(): void {
    void tellStrangeJobs(store, handlers, log).finally(() => {
      if (stopped) return;
      timer = clock.setTimer(LOOK_MS, look);
      timer.hold(false);
    });
  }

  timer.hold(false);
  return () => {
    stopped = true;
    timer.cancel();
  };
}

async function tellStrangeJobs(
  store: FullStore,
  handlers: readonly string[],
  log: Log,
): Promise<void> {
  // The worker itself says that the store does not answer.
  const { groups } = await store.counts().catch(() => ({ groups: [] }));
  for (const { handler, queue, state, count } of groups) {
    const isWaiting = state === 'ready' || state === 'scheduled' || state === 'parked';
    if (!isWaiting || handlers.includes(handler)) continue;
    const jobs = count === 1 ? 'job waits' : 'jobs wait';
    const text = `${count} ${state} ${jobs} in ${queue} for the handler ${handler}, which this worker does not have`;
    log.warn({ event: 'idle.no_handler', handler, queue, state, count }, text);
  }
}
