import { isRetryError, type RetryOptions, retry } from '@redrive/core';
import { type Handlers, jobsOn, memoryStore } from '@redrive/durable';
import { consumeEvents, handleEventWithRetry, memoryBus } from '@redrive/durable/events';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import type { CommonError } from './common-errors.ts';

/** What a failure of the first attempt becomes. */
export type Fate = 'retried' | 'rate limited' | 'not repeated' | 'final' | 'cancelled';

type Retry = (
  operation: () => Promise<unknown>,
  policy: object,
  options: RetryOptions,
) => Promise<unknown>;

/** Rung 1: what `retry` makes of each error, with the default policy. */
export function judgeCalls(errors: readonly CommonError[], by: Retry = retry): Promise<Fate[]> {
  return Promise.all(errors.map(({ make }) => judgeCall(make, by)));
}

async function judgeCall(make: () => unknown, by: Retry): Promise<Fate> {
  const clock = virtualClock();
  let calls = 0;
  let isLimited = false;
  const onRetry: RetryOptions['onRetry'] = ({ errorClass }) => {
    isLimited = errorClass === 'rate_limited';
  };
  const operation = async () => {
    calls += 1;
    if (calls === 1) throw make();
  };
  const ended = by(operation, {}, { clock, onRetry }).catch((error: unknown) => error);
  await clock.advance(60_000);
  if (isRetryError(await ended, 'effect_unknown')) return 'not repeated';
  return calls === 1 ? 'final' : isLimited ? 'rate limited' : 'retried';
}

/** Rungs 2 and 3: what the worker makes of each error, in the handler of an event and in that of a job. */
export async function judgeStored(
  errors: readonly CommonError[],
): Promise<{ readonly events: Fate[]; readonly jobs: Fate[] }> {
  const clock = virtualClock({ startMs: 1_769_688_000_000 });
  const store = memoryStore({ clock });
  const fail = async ({ number }: { number: number }, { attempt }: { attempt: number }) => {
    if (attempt === 1) throw errors[number]?.make();
  };
  const jobs = jobsOn(store, { event: fail, job: fail } satisfies Handlers, { clock });
  const bus = memoryBus();
  const source = {
    name: 'events',
    bus: 'main',
    subject: 'errors',
    handler: 'event',
    key: ['number'],
  };
  await bus.declare(source);
  await jobs.start();
  const consumer = consumeEvents(source, { bus, store, jobs, clock });
  const ids: string[] = [];
  for (const number of errors.keys()) {
    const body = Buffer.from(JSON.stringify({ number }));
    await bus.publish([{ destination: 'errors', body }]);
    ids.push((await jobs.enqueue('job', { number })).id);
  }
  await clock.advance(200_000);
  const fateOf = async (id: string): Promise<Fate> => {
    const job = await store.job(id);
    const errorClass = job?.attempts.kept[0]?.errorClass;
    if (errorClass === 'ignored') return 'cancelled';
    if (errorClass === 'rate_limited') return 'rate limited';
    const isDead = job?.state === 'dead';
    if (isDead === (errorClass === 'final')) return isDead ? 'final' : 'retried';
    throw new Error(`The job ${id} is ${job?.state} after a failure of class ${errorClass}`);
  };
  const all = (made: readonly string[]) => Promise.all(made.map(fateOf));
  const fates = {
    events: await all([...errors.keys()].map((number) => `events-${number}`)),
    jobs: await all(ids),
  };
  await ended(clock, consumer.stop());
  await ended(clock, jobs.stop());
  await bus.close();
  return fates;
}

/** Rung 2 in a consumer of one's own: whether `handleEventWithRetry` has another attempt after each error. */
export function retriesInPlace(errors: readonly CommonError[]): Promise<boolean[]> {
  return Promise.all(
    errors.map(async ({ make }) => {
      const clock = virtualClock({ startMs: 1_769_688_000_000 });
      const chunk = async () => {
        throw make();
      };
      const jobs = jobsOn(memoryStore({ clock }), { chunk }, { clock });
      const about = { jobs, handler: 'chunk', source: 'chunking', idempotencyKey: 'chunking-1' };
      const outcome = handleEventWithRetry({}, chunk, { ...about, clock });
      await clock.advance(60_000);
      return (await outcome) === 'handed_over';
    }),
  );
}

async function ended(clock: VirtualClock, stopping: Promise<unknown>): Promise<void> {
  await clock.advance(60_000);
  await stopping;
}
