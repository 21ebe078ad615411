import { describe, expect, it } from 'vitest';
import { workBench } from '../testing/work-bench.ts';

const DAY = 86_400_000;

async function finishedJobs(retention?: object) {
  const bench = workBench(
    {
      good: () => {},
      bad: { run: () => Promise.reject(new Error('down')), policy: { maxAttempts: 1 } },
    },
    retention === undefined ? {} : { retention },
  );
  const { jobs, clock } = bench;
  await jobs.enqueueMany('good', Array(1_200).fill(null));
  await jobs.enqueue('bad', null);
  const { id } = await jobs.enqueue('good', null, { delayMs: 1_000 });
  await jobs.cancel(id);
  await jobs.start();
  await clock.advance(1_000);
  const states = async () =>
    Object.fromEntries(
      (await bench.store.counts()).groups.map(({ state, count }) => [state, count]),
    );
  expect(await states()).toEqual({ succeeded: 1_200, dead: 1, cancelled: 1 });
  await bench.stop();
  /** Days pass without a worker; then one works for an hour. */
  const later = async (days: number) => {
    clock.tick(days * DAY);
    await jobs.start();
    await clock.advance(90_000);
    const left = await states();
    await bench.stop();
    return left;
  };
  return { ...bench, later, states };
}

describe('retention', () => {
  it('keeps what succeeded or was cancelled for a week, and dead letters for 90 days', async () => {
    const { later, noticesOf } = await finishedJobs();
    expect(await later(6)).toEqual({ succeeded: 1_200, dead: 1, cancelled: 1 });
    expect(await later(2)).toEqual({ dead: 1 });
    // In small steps, told at the end.
    expect(noticesOf('pruned')).toEqual([{ kind: 'pruned', deleted: 1_201 }]);
    expect(await later(90)).toEqual({});
  });

  it('can be for ever', async () => {
    const { later } = await finishedJobs({
      succeededMs: Infinity,
      cancelledMs: Infinity,
      deadMs: Infinity,
      purgedMs: Infinity,
    });
    expect(await later(10_000)).toEqual({ succeeded: 1_200, dead: 1, cancelled: 1 });
  });

  it('can be for some only', async () => {
    const { later } = await finishedJobs({ succeededMs: 0, deadMs: Infinity });
    expect(await later(1)).toEqual({ dead: 1, cancelled: 1 });
  });

  it('runs before an idle worker reports that it is idle, however briefly the worker lives', async () => {
    const { jobs, clock, stop, states, noticesOf } = await finishedJobs();
    clock.tick(8 * DAY);
    await jobs.start();
    const idle = jobs.idle();
    await clock.advance(100);
    await idle;
    expect(await states()).toEqual({ dead: 1 });
    expect(noticesOf('pruned')).toEqual([{ kind: 'pruned', deleted: 1_201 }]);
    await stop();
  });

  it('runs for an idle worker once, and every hour after that', async () => {
    const { jobs, clock, stop, store } = await finishedJobs();
    await jobs.start();
    await clock.advance(100_000);
    const prunes: unknown[] = [];
    const apply = store.apply.bind(store);
    const counted = (commands: Parameters<typeof apply>[0]) => {
      prunes.push(...commands.filter(({ kind }) => kind === 'prune'));
      return apply(commands);
    };
    Object.assign(store, { apply: counted });
    await jobs.idle();
    expect(prunes).toEqual([]);
    await clock.advance(3_500_000);
    await jobs.idle();
    await clock.advance(100_000);
    expect(prunes).toHaveLength(1);
    await stop();
  });

  it('leaves the rest to the next worker when an idle worker has deleted for a minute', async () => {
    const { jobs, clock, stop, store, states } = await finishedJobs();
    clock.tick(8 * DAY);
    const apply = store.apply.bind(store);
    const slow = async (commands: Parameters<typeof apply>[0]) => {
      const results = await apply(commands);
      if (commands.some(({ kind }) => kind === 'prune')) clock.tick(40_000);
      return results;
    };
    Object.assign(store, { apply: slow });
    await jobs.start();
    const idle = jobs.idle();
    await clock.advance(100);
    await idle;
    expect(await states()).toEqual({ succeeded: 200, dead: 1, cancelled: 1 });
    await stop();
  });

  it('compresses the audit log of a week ago, step by step, and reports it', async () => {
    const { later, store, noticesOf } = await finishedJobs({ uncompressedAuditMs: 7 * DAY });
    const asked: unknown[] = [];
    const step = { blocks: 1_000, bytesBefore: 600, bytesAfter: 20 };
    Object.assign(store, {
      compress: async (options: unknown) => {
        asked.push(options);
        return asked.length < 3 ? step : undefined;
      },
    });
    await later(1);
    expect(asked).toEqual(Array(3).fill({ sealedForMs: 7 * DAY }));
    const both = { blocks: 2_000, bytesBefore: 1_200, bytesAfter: 40 };
    expect(noticesOf('audit_compressed')).toEqual([{ kind: 'audit_compressed', ...both }]);
  });

  it('never compresses, where nobody wants it', async () => {
    const { later, store } = await finishedJobs({ uncompressedAuditMs: Infinity });
    Object.assign(store, { compress: () => expect.fail('it was asked') });
    await later(1);
  });
});
