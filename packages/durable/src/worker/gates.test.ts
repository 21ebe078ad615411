import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { GATE_KEPT_MS } from '../control/closed-gates.ts';
import { gateKey } from '../control/rules/documents.ts';
import type { HandlerOptions } from '../handler/handler.ts';
import type { JobContext } from '../handler/job-context.ts';
import { retryAfter } from '../handler/verdict.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { type FaultyStore, faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

interface Work {
  readonly name: string;
  /** Asks for this wait, the first time. */
  readonly hintMs?: number;
  readonly account?: string;
}

interface Bench {
  readonly clock: VirtualClock;
  readonly store: FaultyStore;
}

function newBench(): Bench {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  return { clock, store: faultyStore(memoryStore({ clock })) };
}

/** A worker whose jobs talk to `api`, unless the options say otherwise. */
function workerOn(
  { clock, store }: Bench,
  handler: HandlerOptions<Work> = { dependency: 'api' },
  options: JobsOptions = {},
) {
  const started: { readonly name: string; readonly atMs: number }[] = [];
  const run = ({ name, hintMs }: Work, { attempt }: JobContext) => {
    started.push({ name, atMs: clock.now() - START_MS });
    return hintMs !== undefined && attempt === 1 ? retryAfter(hintMs) : undefined;
  };
  const bench = workBench({ run: { ...handler, run } }, { store, ...options }, clock);
  return { ...bench, store, started };
}

async function gatesOf(store: FullStore) {
  const { all } = await store.controls();
  return all.filter(({ kind }) => kind === 'gate').map(({ document }) => JSON.parse(document));
}

const KEY = gateKey({ dependency: 'api', credential: '', tenant: '' });
const actor = { name: 'ann' };

describe('a gate', () => {
  it('is closed by a Retry-After, for every job of the dependency in every process', async () => {
    const bench = newBench();
    const one = workerOn(bench, undefined, { worker: 'w1' });
    const two = workerOn(bench, undefined, { worker: 'w2' });
    await one.jobs.start();
    await bench.clock.advance(10);
    const first = await one.jobs.enqueue('run', { name: 'limited', hintMs: 5_000 });
    await bench.clock.advance(20);
    expect(one.started).toEqual([{ name: 'limited', atMs: 10 }]);
    expect(await gatesOf(bench.store)).toMatchObject([
      { dependency: 'api', credential: '', tenant: '', untilMs: START_MS + 5_010, cut: false },
    ]);
    await two.jobs.start();
    const others = await one.jobs.enqueueMany('run', [{ name: 'a' }, { name: 'b' }]);
    await bench.clock.advance(4_900);
    expect([...one.started, ...two.started]).toHaveLength(1);
    for (const { id } of others) {
      expect(await one.look(id)).toMatchObject({
        state: 'parked',
        cause: `gate:${KEY}`,
        reason: 'gate_closed',
        account: { entries: { blocked: 1, failed: 0 } },
      });
    }
    // The one that got the hint waits for itself, as it would without a gate.
    expect(await one.look(first.id)).toMatchObject({ state: 'scheduled', reason: 'rate_limited' });
    await bench.clock.advance(100);
    await bench.store.apply([{ kind: 'release', cause: `gate:${KEY}`, limit: 10, actor }]);
    await bench.clock.advance(10_000);
    const all = [...one.started, ...two.started].map(({ name }) => name).sort();
    expect(all).toEqual(['a', 'b', 'limited', 'limited']);
    const again = [...one.started, ...two.started].slice(1);
    expect(Math.min(...again.map(({ atMs }) => atMs))).toBeGreaterThanOrEqual(5_010);
  });

  it.each([
    ['another credential', { account: 'b' }, {}],
    ['another tenant', { account: 'a' }, { tenant: 'other' }],
  ])('does not hold up %s', async (_, work, place) => {
    const credential = ({ account = '' }: Work) => account;
    const { jobs, clock, started } = workerOn(newBench(), { dependency: 'api', credential });
    await jobs.start();
    await jobs.enqueue('run', { name: 'limited', hintMs: 5_000, account: 'a' });
    await clock.advance(20);
    await jobs.enqueue('run', { name: 'same', account: 'a' });
    await jobs.enqueue('run', { name: 'else', ...work }, place);
    await clock.advance(100);
    expect(started.map(({ name }) => name)).toEqual(['limited', 'else']);
  });

  it('takes a credential that cannot be found out for none', async () => {
    const bench = newBench();
    const credential = ({ account }: Work) => {
      if (account === undefined) throw new Error('no account');
      return account;
    };
    const { jobs, clock, store } = workerOn(bench, { dependency: 'api', credential });
    await jobs.start();
    await jobs.enqueue('run', { name: 'a', hintMs: 1_000 });
    await jobs.enqueue('run', { name: 'b', hintMs: 1_000, account: 'x'.repeat(300) });
    await clock.advance(20);
    expect(await gatesOf(store)).toMatchObject([{ credential: '' }]);
  });

  it('needs a dependency', async () => {
    const { jobs, clock, started, store } = workerOn(newBench(), {});
    await jobs.start();
    await jobs.enqueue('run', { name: 'limited', hintMs: 5_000 });
    await clock.advance(20);
    await jobs.enqueue('run', { name: 'other' });
    await clock.advance(20);
    expect(started).toHaveLength(2);
    expect(await gatesOf(store)).toEqual([]);
  });

  it('holds as long as the strictest hint says, and the rest costs no writes', async () => {
    const { jobs, clock, store } = workerOn(newBench(), { dependency: 'api' }, { concurrency: 50 });
    await jobs.start();
    await clock.advance(10);
    const works = Array.from({ length: 50 }, (_, n) => ({ name: `${n}`, hintMs: 1_000 + 10 * n }));
    await jobs.enqueueMany('run', works);
    await clock.advance(200);
    expect(await gatesOf(store)).toMatchObject([{ untilMs: START_MS + 1_500 }]);
    // The first at once, and all the others together.
    expect((await store.controls()).revision).toBe(2);
  });

  it('has a ceiling', async () => {
    const { jobs, clock, store } = workerOn(newBench(), undefined, { maxGateMs: 60_000 });
    await jobs.start();
    await jobs.enqueue('run', { name: 'hostile', hintMs: 31_536_000_000 });
    await clock.advance(20);
    expect(await gatesOf(store)).toMatchObject([{ untilMs: START_MS + 60_000, cut: true }]);
  });

  it('is never closed where none may be', async () => {
    const { jobs, clock, store } = workerOn(newBench(), undefined, { maxGateMs: 0 });
    await jobs.start();
    await jobs.enqueue('run', { name: 'hint', hintMs: 10_000 });
    await clock.advance(20);
    expect(await gatesOf(store)).toEqual([]);
  });

  it('holds here while the store cannot write it, and is written when it can', async () => {
    const { jobs, clock, store, started } = workerOn(newBench());
    await jobs.start();
    await clock.advance(10);
    const { apply } = store;
    store.apply = ((commands: Parameters<FullStore['apply']>[0]) =>
      commands.some(({ kind }) => kind === 'control')
        ? Promise.reject(new Error('no'))
        : apply(commands)) as FullStore['apply']; // The results are those of the same commands.
    await jobs.enqueue('run', { name: 'limited', hintMs: 5_000 });
    await clock.advance(20);
    await jobs.enqueue('run', { name: 'other' });
    await clock.advance(2_000);
    expect(started).toHaveLength(1);
    expect(await gatesOf(store)).toEqual([]);
    store.apply = apply;
    await clock.advance(1_100);
    expect(await gatesOf(store)).toMatchObject([{ untilMs: START_MS + 5_010 }]);
  });

  it('is on record once, and its document goes some time after it has passed', async () => {
    const { jobs, clock, store, noticesOf } = workerOn(newBench());
    await jobs.start();
    await jobs.enqueue('run', { name: 'limited', hintMs: 5_000 });
    await clock.advance(GATE_KEPT_MS);
    expect(await gatesOf(store)).toHaveLength(1);
    expect(noticesOf('control_seen')).toMatchObject([{ control: 'gate', name: KEY }]);
    await clock.advance(2 * GATE_KEPT_MS);
    expect(await gatesOf(store)).toEqual([]);
    expect(noticesOf('control_gone')).toEqual([]);
    const blocks = await store.auditBlocks(0, 1_000);
    const records = blocks.map(({ body }) => body).join('\n');
    expect(records.split(JSON.stringify(`gate:${KEY}`))).toHaveLength(2);
  });

  it('opens when somebody releases it', async () => {
    const { jobs, clock, store, started, noticesOf } = workerOn(newBench());
    await jobs.start();
    await jobs.enqueue('run', { name: 'limited', hintMs: 50_000 });
    await clock.advance(100);
    const { all } = await store.controls();
    const expected = all.find(({ kind }) => kind === 'gate')?.revision ?? 0;
    await store.apply([{ kind: 'control', of: 'gate', key: KEY, expect: expected }]);
    await clock.advance(20);
    await jobs.enqueue('run', { name: 'other' });
    await clock.advance(20);
    expect(started.map(({ name }) => name)).toEqual(['limited', 'other']);
    expect(noticesOf('control_gone')).toHaveLength(1);
  });
});
