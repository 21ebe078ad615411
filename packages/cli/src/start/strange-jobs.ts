import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { pauses } from '@redrive/durable/control';
import type { Log } from '../log/worker-log.ts';

/** A caller with `--until-idle` should learn soon, and then once a minute, that some jobs will never run. */
const FIRST_LOOK_MS = 5_000;
const LOOK_MS = 60_000;

/**
 * Says now and then which jobs keep a worker from being idle though it will never run them: no handler of it takes them,
 * or they are paused. Answers how to stop.
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
  const [{ groups }, paused] = await Promise.all([store.counts(), pauses(store)]).catch(
    // The worker itself says that the store does not answer.
    () => [{ groups: [] }, []] as const,
  );
  for (const { scope, name } of paused) {
    if (scope === 'schedule') continue;
    log.warn(
      { event: 'idle.paused', scope, name },
      `The ${scope} ${name} is paused: its jobs wait`,
    );
  }
  for (const { handler, queue, state, count } of groups) {
    const isWaiting = state === 'ready' || state === 'scheduled' || state === 'parked';
    if (!isWaiting || handlers.includes(handler)) continue;
    const jobs = count === 1 ? 'job waits' : 'jobs wait';
    const text = `${count} ${state} ${jobs} in ${queue} for the handler ${handler}, which this worker does not have`;
    log.warn({ event: 'idle.no_handler', handler, queue, state, count }, text);
  }
}
