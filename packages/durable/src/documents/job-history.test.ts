import { openAccount } from '@redrive/core/stored';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import { sampleJob } from '../testing/sample-job.ts';
import { jobHistory } from './job-history.ts';

const actor = { name: 'test', why: 'to see' };

function enqueue(id: string): EnqueueCommand {
  const { submittedAtMs: _, ...job } = sampleJob({ id });
  return { kind: 'enqueue', job, onConflict: 'existing', account: openAccount(), actor };
}

/** A job that was cancelled and requeued so often. */
async function storeWith(rounds: number): Promise<Store> {
  const clock = virtualClock({ startMs: 1_000 });
  const store = memoryStore({ clock });
  await store.apply([enqueue('job_0'), enqueue('job_1'), enqueue('job_2')]);
  for (let round = 0; round < rounds; round++) {
    await clock.advance(10);
    await store.apply([{ kind: 'act', act: 'cancel', id: 'job_1', actor }]);
    await store.apply([{ kind: 'act', act: 'cancel', id: 'job_2', actor }]);
    await store.apply([{ kind: 'act', act: 'requeue', id: 'job_1', actor }]);
  }
  return store;
}

describe('the history of a job', () => {
  it('is everything that ever happened to it, the oldest first', async () => {
    const history = await jobHistory(await storeWith(2), 'job_1');
    expect(history?.complete).toBe(true);
    expect(
      history?.entries.map(({ revision, event, from, to }) => [revision, event, from, to]),
    ).toEqual([
      [1, 'enqueue', null, 'ready'],
      [2, 'cancel', 'ready', 'cancelled'],
      [3, 'requeue', 'cancelled', 'ready'],
      [4, 'cancel', 'ready', 'cancelled'],
      [5, 'requeue', 'cancelled', 'ready'],
    ]);
    expect(history?.entries[3]).toMatchObject({
      atMs: 1_020,
      generation: 2,
      detail: { by: 'test', why: 'to see' },
    });
  });

  it('has several records where one transaction did several things', async () => {
    const store = memoryStore({ clock: virtualClock() });
    await store.apply([
      enqueue('job_1'),
      { kind: 'act', act: 'cancel', id: 'job_1', actor },
      { kind: 'act', act: 'requeue', id: 'job_1', actor },
    ]);
    const history = await jobHistory(store, 'job_1');
    expect(history).toMatchObject({ complete: true });
    expect(history?.entries.map(({ revision, block }) => [revision, block])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('is the newest part where there are more blocks than asked for', async () => {
    const history = await jobHistory(await storeWith(2), 'job_1', { maxBlocks: 2 });
    expect(history?.complete).toBe(false);
    expect(history?.entries.map(({ revision }) => revision)).toEqual([4, 5]);
  });

  it('is nothing where there is no such job', async () => {
    expect(await jobHistory(await storeWith(0), 'job_9')).toBeUndefined();
  });

  it('is refused where the log has been changed', async () => {
    const store = await storeWith(1);
    const without = (change: (body: string) => string): Store => ({
      ...store,
      auditBlocks: async (after, limit) =>
        (await store.auditBlocks(after, limit)).map((block) => ({
          ...block,
          body: change(block.body),
        })),
    });
    const dropped = jobHistory(
      without(() => '[]'),
      'job_1',
    );
    await expect(dropped).rejects.toMatchObject({
      code: 'invalid_record',
      details: { id: 'job_1' },
    });
    // The oldest record points to itself.
    const circle = without((body) => body.replaceAll(',0,{', ',1,{'));
    await expect(jobHistory(circle, 'job_0')).rejects.toMatchObject({ code: 'invalid_record' });
    const gone = { ...store, auditBlocks: async () => [] };
    await expect(jobHistory(gone, 'job_1')).rejects.toMatchObject({ code: 'invalid_record' });
  });
});
