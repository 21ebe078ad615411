import { describe, expect, it } from 'vitest';
import type { JobState } from '../job/job.ts';
import { handlersWithoutWorker, hasWorkerForParked } from './handlers-without-worker.ts';
import type { StoredWorker } from './worker-store.ts';

type Group = readonly [handler: string, state: JobState, count: number, queue?: string];

function worker(given: Partial<StoredWorker> = {}): StoredWorker {
  return {
    name: 'w1',
    host: 'web-1',
    pid: 1,
    version: '0.1.0',
    handlers: ['mail'],
    moreHandlers: 0,
    moreQueues: 0,
    stalled: [],
    moreStalled: 0,
    concurrency: 10,
    running: 0,
    state: 'working',
    sinceMs: 0,
    seenAtMs: 0,
    ...given,
  };
}

function verdict(groups: readonly Group[], workers: readonly StoredWorker[], bounded = false) {
  const counted = groups.map(([handler, state, count, queue = 'default']) => {
    return { handler, state, count, queue };
  });
  return handlersWithoutWorker({ groups: counted }, { workers, bounded });
}

describe('handlers without a worker', () => {
  it('20 ready jobs of sync wait, and no worker runs them', () => {
    const found = verdict(
      [
        ['sync', 'ready', 20],
        ['mail', 'ready', 5],
        ['sync', 'dead', 3],
      ],
      [worker()],
    );
    expect(found).toEqual([
      { handler: 'sync', queues: ['default'], ready: 20, scheduled: 0, parked: 0 },
    ]);
  });

  it('are none where every handler has one', () => {
    const two = [worker(), worker({ name: 'w2', handlers: ['sync'] })];
    expect(
      verdict(
        [
          ['sync', 'ready', 20],
          ['mail', 'ready', 5],
        ],
        two,
      ),
    ).toEqual([]);
  });

  it('are all of them where no worker is alive, the most ready jobs first', () => {
    const groups: readonly Group[] = [
      ['mail', 'scheduled', 7],
      ['sync', 'ready', 20],
      ['sync', 'parked', 2, 'slow'],
      ['done', 'succeeded', 9],
    ];
    expect(verdict(groups, [])).toEqual([
      { handler: 'sync', queues: ['default', 'slow'], ready: 20, scheduled: 0, parked: 2 },
      { handler: 'mail', queues: ['default'], ready: 0, scheduled: 7, parked: 0 },
    ]);
  });

  it('a worker that is stopping, or takes other queues, has none of them', () => {
    const groups: readonly Group[] = [
      ['mail', 'ready', 3, 'slow'],
      ['mail', 'ready', 4],
    ];
    expect(verdict(groups, [worker({ state: 'stopping' })])).toMatchObject([{ ready: 7 }]);
    const ofSlow = [worker({ queues: ['slow'] })];
    expect(verdict(groups, ofSlow)).toMatchObject([{ ready: 4, queues: ['default'] }]);
  });

  it('no verdict where names or workers were left out', () => {
    const groups: readonly Group[] = [['sync', 'ready', 20]];
    expect(verdict(groups, [worker({ moreHandlers: 1 })])).toEqual([]);
    const queues = worker({ handlers: ['sync'], queues: ['a'], moreQueues: 2 });
    expect(verdict(groups, [queues])).toEqual([]);
    expect(verdict(groups, [worker()], true)).toEqual([]);
  });
});

describe('parked jobs have a worker', () => {
  const parked = [{ queue: 'default', handler: 'sync', state: 'parked', count: 3 }] as const;
  const has = (
    groups: Parameters<typeof hasWorkerForParked>[0]['groups'],
    ...workers: StoredWorker[]
  ) => hasWorkerForParked({ groups }, { workers, bounded: false });

  it('where one that is alive takes some of them', () => {
    expect(has(parked, worker({ handlers: ['sync'] }))).toBe(true);
    expect(has(parked, worker())).toBe(false);
    expect(has(parked, worker({ handlers: ['sync'], state: 'stopping' }))).toBe(false);
    expect(has(parked)).toBe(false);
    expect(hasWorkerForParked({ groups: parked }, { workers: [], bounded: true })).toBe(true);
  });

  it('where nothing is parked: where any worker claims jobs', () => {
    expect(has([], worker())).toBe(true);
    expect(has([], worker({ state: 'stopping' }))).toBe(false);
    expect(has([])).toBe(false);
  });
});
