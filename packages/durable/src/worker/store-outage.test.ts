import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import type { CheckedHandlers, Handlers } from '../handler/handler.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { type Fault, faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

function outage<const H extends Handlers>(handlers: H & CheckedHandlers<H>) {
  const clock = virtualClock({ startMs: START_MS });
  const store = faultyStore(memoryStore({ clock }));
  return { ...workBench<H>(handlers, { store }, clock), store };
}

const DOWN: Fault = {
  calls: ['apply', 'pulse', 'heartbeat', 'expiredLeases', 'registerPolicies'],
  when: 'before',
};

describe('a store that cannot be reached', () => {
  it('is asked again with growing waits, which are reported, and work goes on afterwards', async () => {
    const { jobs, clock, store, noticesOf } = outage({ run: () => 'done' });
    await jobs.enqueue('run', null);
    store.fault = DOWN;
    await jobs.start();
    await clock.advance(60_000);
    const told = noticesOf('store_unavailable');
    expect(told.length).toBeGreaterThan(8);
    expect(told.length).toBeLessThan(25);
    expect(told[0]?.retryInMs).toBeLessThanOrEqual(100);
    expect(told.at(-1)?.retryInMs).toBeGreaterThanOrEqual(5_000);
    expect(told.every(({ retryInMs }) => retryInMs >= 50 && retryInMs <= 10_000)).toBe(true);
    store.fault = undefined;
    await clock.advance(10_000);
    expect(noticesOf('store_back')).toHaveLength(1);
    expect(noticesOf('store_back')[0]?.afterMs).toBeGreaterThanOrEqual(60_000);
    expect((await store.counts()).groups).toMatchObject([{ state: 'succeeded', count: 1 }]);
  });

  it('whose disk is full answers questions and writes nothing: it is back once, when it writes', async () => {
    const { jobs, clock, store, noticesOf } = outage({ run: () => 'done' });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(1_000);
    await jobs.enqueue('run', null, { delayMs: 100 });
    store.fault = { calls: ['apply'], when: 'before' };
    // The first write that fails comes with the job, after 100 ms.
    await clock.advance(60_100);
    expect(noticesOf('store_unavailable').length).toBeGreaterThan(8);
    expect(noticesOf('store_unavailable').length).toBeLessThan(25);
    expect(noticesOf('store_back')).toEqual([]);
    store.fault = undefined;
    await clock.advance(10_000);
    expect(noticesOf('store_back')).toHaveLength(1);
    expect(noticesOf('store_back')[0]?.afterMs).toBeGreaterThanOrEqual(60_000);
    expect((await store.counts()).groups).toMatchObject([{ state: 'succeeded', count: 2 }]);
  });

  it('gets the end of an attempt when it is back', async () => {
    let calls = 0;
    let release = () => {};
    const { jobs, clock, store, look } = outage({
      run: () => {
        calls += 1;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = DOWN;
    release();
    await clock.advance(20_000);
    expect((await look(id)).state).toBe('leased');
    store.fault = undefined;
    await clock.advance(10_000);
    expect(await look(id)).toMatchObject({ state: 'succeeded', account: { claims: 1 } });
    expect(calls).toBe(1);
  });

  it('that wrote an end without saying so is not misunderstood', async () => {
    const { jobs, clock, store, look, noticesOf, records } = outage({ run: () => 'done' });
    await jobs.start();
    await clock.advance(0);
    // The claim goes through, the settlement's answer gets lost.
    const { id } = await jobs.enqueue('run', null, { delayMs: 1_000 });
    await clock.advance(999);
    let lost = 0;
    const { apply } = store;
    Object.assign(store, {
      apply: async (commands: Parameters<typeof apply>[0]) => {
        const results = await apply(commands);
        if (commands.some(({ kind }) => kind === 'settle') && lost++ === 0) {
          throw new Error('the answer got lost');
        }
        return results;
      },
    });
    await clock.advance(10_000);
    expect(lost).toBeGreaterThan(1);
    expect(await look(id)).toMatchObject({ state: 'succeeded', account: { claims: 1 } });
    expect(noticesOf('stale_settlement')).toEqual([]);
    expect(records.filter(({ kind }) => kind === 'session_ended')).toHaveLength(1);
    expect(await jobs.idle()).toEqual({ died: 0, succeeded: 1, left: [] });
  });

  it('for longer than the lease: another worker’s rescue counts, and the late settlement is refused and reported', async () => {
    let release = () => {};
    const clock = virtualClock({ startMs: START_MS });
    const inner = memoryStore({ clock });
    const store = faultyStore(inner);
    const cut = workBench(
      { run: () => new Promise<void>((resolve) => (release = resolve)) },
      { store, worker: 'cut off' },
      clock,
    );
    await cut.jobs.start();
    const { id } = await cut.jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = DOWN;
    await clock.advance(1_000);
    release();
    const other = workBench({ run: () => 'theirs' }, { store: inner, worker: 'other' }, clock);
    await other.jobs.start();
    await clock.advance(40_000);
    expect(await other.look(id)).toMatchObject({ state: 'succeeded', result: '"theirs"' });
    store.fault = undefined;
    await clock.advance(20_000);
    expect(cut.noticesOf('stale_settlement')).toEqual([
      { kind: 'stale_settlement', jobId: id, refusal: 'stale_token' },
    ]);
    expect(await cut.jobs.idle()).toEqual({ died: 0, succeeded: 0, left: [] });
  });

  it('for longer than the lease: the rescue of another worker is not taken for one’s own report of the loss', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const inner = memoryStore({ clock });
    const store = faultyStore(inner);
    const untilAborted = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const cut = workBench({ run: untilAborted }, { store, worker: 'cut off' }, clock);
    await cut.jobs.start();
    const { id } = await cut.jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = DOWN;
    const other = workBench({ run: () => 'theirs' }, { store: inner, worker: 'other' }, clock);
    await other.jobs.start();
    await clock.advance(40_000);
    expect(await other.look(id)).toMatchObject({ state: 'succeeded', result: '"theirs"' });
    store.fault = undefined;
    await clock.advance(20_000);
    expect(cut.noticesOf('stale_settlement')).toHaveLength(1);
    expect(cut.records.filter(({ kind }) => kind === 'attempt_ended')).toEqual([]);
    expect(other.records.filter(({ kind }) => kind === 'attempt_ended')).toHaveLength(2);
  });

  it('that claimed without saying so: what it claimed is given back, and not charged', async () => {
    const { jobs, clock, store, look } = outage({ run: () => 'done' });
    const { id } = await jobs.enqueue('run', null);
    store.fault = { calls: ['apply'], when: 'after' };
    await jobs.start();
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'leased' });
    store.fault = undefined;
    await clock.advance(1_000);
    const job = await look(id);
    expect(job.state).toBe('succeeded');
    expect(job.account.entries).toMatchObject({ interrupted: 1, lease_lost: 0, succeeded: 1 });
  });

  it('that claimed without saying so before a stop: it is given back, and not charged', async () => {
    const run = { run: () => 'done', onUnknown: 'dead_letter' } as const;
    const { jobs, clock, store, look, stop } = outage({ run });
    const { id } = await jobs.enqueue('run', null);
    store.fault = { calls: ['apply'], when: 'after' };
    await jobs.start();
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'leased' });
    store.fault = undefined;
    await stop();
    expect(await look(id)).toMatchObject({
      state: 'ready',
      account: { claims: 1, entries: { interrupted: 1, lease_lost: 0 } },
    });
  });

  it('is asked once more for unknown leases by a stop, which waits for nothing else', async () => {
    const { jobs, clock, store } = outage({ run: () => 'done' });
    await jobs.enqueue('run', null);
    store.fault = { calls: ['apply', 'leasesOf'], when: 'before' };
    await jobs.start();
    await clock.advance(1_000);
    const looks = store.calls.get('leasesOf') ?? 0;
    let isOver = false;
    void jobs.stop().then(() => {
      isOver = true;
    });
    await clock.advance(10_000);
    expect(isOver).toBe(true);
    expect(store.calls.get('leasesOf')).toBe(looks + 1);
    store.fault = undefined;
  });

  it('that claims after its caller has given up is found out as well', async () => {
    const { jobs, clock, store, look } = outage({ run: () => 'done' });
    const { id } = await jobs.enqueue('run', null, { delayMs: 5_000 });
    await jobs.start();
    await clock.advance(4_999);
    const { apply } = store;
    let late: (() => Promise<unknown>) | undefined;
    Object.assign(store, {
      apply: async (commands: Parameters<typeof apply>[0]) => {
        if (late === undefined && commands.some(({ kind }) => kind === 'claim')) {
          late = () => apply(commands);
          throw new Error('no answer');
        }
        // Nothing else gets through until it was carried out: another claim would take the job.
        if (late !== undefined && commands.some(({ kind }) => kind === 'claim')) {
          return commands.map(() => ({ ok: true, jobs: [], more: false, nowMs: clock.now() }));
        }
        return apply(commands);
      },
    });
    await clock.advance(1_000);
    await late?.();
    Object.assign(store, { apply });
    expect(await look(id)).toMatchObject({ state: 'leased' });
    await clock.advance(20_000);
    expect(await look(id)).toMatchObject({
      state: 'succeeded',
      account: { entries: { interrupted: 1, lease_lost: 0 } },
    });
  });

  it('does not give back what is held, when it looks for what is not', async () => {
    let release = () => {};
    const { jobs, clock, store, look } = outage({
      run: () => new Promise<void>((resolve) => (release = resolve)),
    });
    const { id } = await jobs.enqueue('run', null);
    await jobs.start();
    await clock.advance(0);
    store.fault = { calls: ['apply'], when: 'after' };
    store.committed();
    await clock.advance(10);
    store.fault = undefined;
    await clock.advance(1_000);
    expect(store.calls.get('leasesOf')).toBeGreaterThan(0);
    expect(await look(id)).toMatchObject({ state: 'leased' });
    release();
    await clock.advance(10);
    expect(await look(id)).toMatchObject({ state: 'succeeded', account: { claims: 1 } });
  });

  it('at the first registration of policies is no reason to claim', async () => {
    const { jobs, clock, store } = outage({ run: () => 'done' });
    await jobs.enqueue('run', null);
    store.fault = { calls: ['registerPolicies'], when: 'before' };
    await jobs.start();
    await clock.advance(1_000);
    expect((await store.counts()).groups).toMatchObject([{ state: 'ready' }]);
    store.fault = undefined;
    await clock.advance(10_000);
    expect((await store.counts()).groups).toMatchObject([{ state: 'succeeded' }]);
  });
});

describe('an idle worker', () => {
  it('asks one cheap question per second and reports itself every ten seconds, nothing else', async () => {
    const { jobs, clock, store } = outage({ run: () => 'done' });
    await jobs.start();
    // Past the first retention, which is hourly.
    await clock.advance(120_000);
    store.calls.clear();
    await clock.advance(60_000);
    expect(Object.fromEntries(store.calls)).toEqual({ pulse: 60, reportWorker: 6 });
  });

  it('looks for ready jobs in that question; a worker with more jobs than room does not', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const memory = memoryStore({ clock });
    const asked: (readonly string[])[] = [];
    const pulse = (handlers: readonly string[]) => {
      asked.push(handlers);
      return memory.pulse(handlers);
    };
    const store = { ...memory, pulse };
    const run = () => new Promise((end) => clock.setTimer(5_000, () => end('done')));
    const { jobs } = workBench({ run }, { store, concurrency: 1 }, clock);
    await jobs.enqueueMany('run', Array(40).fill(null));
    await jobs.start();
    await clock.advance(2_000);
    asked.length = 0;
    await clock.advance(3_000);
    expect(asked).toEqual([[], [], []]);
    await clock.advance(300_000);
    expect(asked.at(-1)).toEqual(['run']);
  });

  it('has few timers', async () => {
    const { jobs, clock } = outage({ run: () => 'done' });
    await jobs.start();
    await clock.advance(120_000);
    // The pulse, the report, and the hourly retention.
    expect(clock.pendingTimers).toBe(3);
  });
});

describe('a row that cannot be read', () => {
  it('is reported once a minute, and does not hold up the work', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const memory = memoryStore({ clock });
    const pulse = () => Promise.reject(new Error('row 7 cannot be read'));
    const store = { ...memory, pulse };
    const { jobs, noticesOf, look, stop } = workBench({ run: () => 'done' }, { store }, clock);
    await jobs.start();
    await clock.advance(150_000);
    expect(noticesOf('store_unavailable')).toEqual([]);
    expect(noticesOf('store_error')).toHaveLength(3);
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(1);
    expect((await look(id)).state).toBe('succeeded');
    await stop();
  });

  it('that a claim meets is not asked for without a pause', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const memory = memoryStore({ clock });
    let calls = 0;
    const apply = () => {
      calls += 1;
      return Promise.reject(new Error('row 7 cannot be read'));
    };
    const { jobs, stop } = workBench({ run: () => 'done' }, { store: { ...memory, apply } }, clock);
    await jobs.start();
    await clock.advance(60_000);
    expect(calls).toBeGreaterThan(3);
    expect(calls).toBeLessThan(25);
    await stop();
  });
});
