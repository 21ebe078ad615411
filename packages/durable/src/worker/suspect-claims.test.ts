import { claimAttempt, openAccount, settleAttempt } from '@redrive/core/stored';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { maxJobsBeside } from '../job/suspects.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

describe('the number of jobs that may be held beside a suspect', () => {
  it.each([
    [0, 10, Infinity],
    [2, 10, Infinity],
    [3, 10, 0],
    [2, 1, Infinity],
    [3, 1, 0],
    [3, 100, 6],
    [4, 100, 1],
    [5, 100, 0],
  ])('after %i losses, where %i run at once: %d', (losses, concurrency, others) => {
    expect(maxJobsBeside(losses, concurrency)).toBe(others);
  });
});

/** A job that lost so many leases with its processes. */
async function enqueueLost(store: FullStore, id: string, losses: number): Promise<void> {
  let account = openAccount();
  for (let n = 0; n < losses; n++) {
    account = settleAttempt(claimAttempt(account), 'process_lost', 0);
  }
  const payload = { kind: 'json', text: JSON.stringify(id) } as const;
  const names = { id, sessionId: id, idempotencyKey: id, handler: 'work', queue: 'default' };
  const plain = { tenant: '', priority: 0, tags: [], headers: {}, payload };
  await store.apply([
    {
      kind: 'enqueue',
      job: { ...names, ...plain },
      onConflict: 'existing',
      account,
      actor: { name: 'test' },
    },
  ]);
}

/** Workers on one store, whose jobs take `workMs`, with a protocol of what started beside how many others. */
function crew(workers: number, concurrency: number, workMs: number) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const started: { id: string; worker: string; beside: number; atMs: number; alone: boolean }[] =
    [];
  const benches = Array.from({ length: workers }, (_, n) => {
    const worker = `w${n + 1}`;
    const running = new Set<string>();
    return workBench(
      {
        work: async (id: string, { jobId }) => {
          const { lease } = (await store.job(jobId)) ?? {};
          const atMs = clock.now() - START_MS;
          started.push({ id, worker, beside: running.size, atMs, alone: lease?.alone === true });
          running.add(id);
          await new Promise<void>((resolve) => clock.setTimer(workMs, resolve));
          running.delete(id);
        },
      },
      { store, worker, concurrency },
      clock,
    );
  });
  const start = async () => {
    for (const { jobs } of benches) await jobs.start();
  };
  const startOf = (id: string) => started.find((each) => each.id === id);
  return { clock, store, started, benches, start, startOf };
}

const names = (count: number, prefix = 'healthy') =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

describe('suspects', () => {
  it.each([1, 2])(
    'after %i losses are none yet: such jobs run beside all others',
    async (losses) => {
      const { clock, store, start, started } = crew(1, 10, 1_000);
      for (const id of names(10, 'lost')) await enqueueLost(store, id, losses);
      await start();
      await clock.advance(100);
      expect(started.map(({ beside }) => beside)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    },
  );

  it('after three run beside a sixteenth, and the next ones when those have finished', async () => {
    const { clock, store, start, started } = crew(1, 32, 1_000);
    for (const id of names(6, 'lost')) await enqueueLost(store, id, 3);
    await start();
    await clock.advance(100);
    expect(started.map(({ beside }) => beside)).toEqual([0, 1, 2]);
    await clock.advance(1_000);
    expect(started.map(({ beside }) => beside)).toEqual([0, 1, 2, 2, 2, 2]);
    expect(started.some(({ alone }) => alone)).toBe(false);
  });

  it('at last run alone, as their lease says', async () => {
    const { clock, store, start, started, benches } = crew(1, 10, 1_000);
    for (const id of names(3, 'lost')) await enqueueLost(store, id, 3);
    await start();
    await clock.advance(3_100);
    expect(started.map(({ beside, alone }) => [beside, alone])).toEqual(Array(3).fill([0, true]));
    await benches[0]?.jobs.enqueue('work', 'after');
    await clock.advance(1_000);
    expect(started.at(-1)).toMatchObject({ id: 'after', alone: false });
  });

  it('let the worker go on for a second or two, then wait until few enough are held, and it goes on', async () => {
    const { clock, store, start, started, startOf, benches } = crew(1, 4, 300);
    await enqueueLost(store, 'suspect', 3);
    await clock.advance(1);
    await benches[0]?.jobs.enqueueMany('work', names(200));
    await start();
    await clock.advance(900);
    expect(startOf('suspect')).toBeUndefined();
    await clock.advance(2_500);
    expect(startOf('suspect')).toMatchObject({ beside: 0, alone: true });
    const at = startOf('suspect')?.atMs ?? 0;
    const beside = started.filter(({ atMs }) => atMs > at && atMs < at + 300);
    expect(beside).toEqual([]);
    // Afterwards four at once again.
    const after = started.filter(({ atMs }) => atMs > at + 300 && atMs < at + 900);
    expect(Math.max(...after.map((each) => each.beside))).toBe(3);
    expect(started.filter(({ id }) => id !== 'suspect').every(({ alone }) => !alone)).toBe(true);
  });

  it('hundreds of them neither hide healthy jobs nor starve', async () => {
    const { clock, store, start, startOf, benches } = crew(1, 4, 100);
    for (const id of names(100, 'lost')) await enqueueLost(store, id, 3);
    await clock.advance(1);
    await benches[0]?.jobs.enqueueMany('work', names(20));
    await start();
    await clock.advance(5_000);
    expect(names(20).filter((id) => startOf(id) === undefined)).toEqual([]);
    await clock.advance(100 * 200);
    expect(names(100, 'lost').filter((id) => startOf(id) === undefined)).toEqual([]);
  });

  it('run one after the other for a second once a worker has drained, and then others run', async () => {
    const { clock, store, start, started, benches } = crew(1, 4, 100);
    for (const id of names(30, 'lost')) await enqueueLost(store, id, 3);
    await clock.advance(1);
    await benches[0]?.jobs.enqueueMany('work', names(200));
    await start();
    await clock.advance(6_000);
    const first = started.findIndex(({ alone }) => alone);
    const turn = started.slice(first).findIndex(({ alone }) => !alone);
    expect(turn).toBeGreaterThanOrEqual(10);
    expect(turn).toBeLessThanOrEqual(12);
    const after = started.slice(first + turn).findIndex(({ alone }) => alone);
    const others = started.slice(first + turn, first + turn + after);
    expect((others.at(-1)?.atMs ?? 0) - (others[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('that another worker has taken let a worker that waits for them go on', async () => {
    const { clock, store, start, started, startOf, benches } = crew(3, 4, 5_000);
    await enqueueLost(store, 'suspect', 3);
    await clock.advance(1);
    await benches[0]?.jobs.enqueueMany('work', names(200));
    await start();
    await clock.advance(30_000);
    const { atMs = 0, worker } = startOf('suspect') ?? {};
    expect(startOf('suspect')).toMatchObject({ beside: 0, alone: true });
    for (const { worker: other } of started.filter((each) => each.worker !== worker)) {
      const next = started.filter((each) => each.worker === other && each.atMs >= atMs);
      expect(next[0]?.atMs).toBeLessThan(atMs + 6_100);
    }
  });

  it('a worker of one job at a time holds each alone, also one that lost many leases', async () => {
    const { clock, store, start, started } = crew(1, 1, 1_000);
    await enqueueLost(store, 'lost', 7);
    await enqueueLost(store, 'new', 0);
    await start();
    await clock.advance(2_100);
    expect(started.map(({ id, alone }) => [id, alone])).toEqual([
      ['lost', true],
      ['new', true],
    ]);
  });
});
