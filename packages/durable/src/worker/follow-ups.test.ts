import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { replayJob } from '../audit/replay.ts';
import { verifyAudit } from '../audit/verify.ts';
import type { JobContext } from '../handler/job-context.ts';
import { retryAfter } from '../handler/verdict.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const once = { maxAttempts: 1 } as const;
const quick = { maxAttempts: 3, baseDelayMs: 1_000, jitter: 'none', backoff: 'fixed' } as const;

describe('context.enqueue', () => {
  it('stores the job with the settlement: tenant, correlation and parent are those of this job', async () => {
    const { jobs, clock, look, store } = workBench({
      order: (n: number, context: JobContext) => {
        context.enqueue('invoice', { n }, { priority: 3 });
        return 'ordered';
      },
      invoice: { run: () => 'sent' },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('order', 7, { tenant: 'acme', correlationId: 'c-7' });
    await clock.advance(1_000);
    const order = await look(id);
    const [child] = order.attempts.kept[0]?.enqueued?.ids ?? [];
    expect(order.attempts.kept[0]?.enqueued).toEqual({ count: 1, ids: [child] });
    expect(await look(child ?? '')).toMatchObject({
      ...{ handler: 'invoice', state: 'succeeded', tenant: 'acme', priority: 3 },
      ...{ correlationId: 'c-7', parentId: id, payload: { text: '{"n":7}' } },
    });
    await jobs.stop();
    while ((await store.seal()) !== undefined);
    const reader = await store.readAudit();
    expect((await verifyAudit(reader)).problems).toEqual([]);
    await reader.close();
    expect((await replayJob(store, id))?.same).toBe(true);
  });

  it('stores nothing where the attempt fails or returns a verdict, and once where it succeeds', async () => {
    let failures = 2;
    const ran: unknown[] = [];
    const { jobs, clock, look } = workBench({
      step: {
        policy: quick,
        run: (_: unknown, context: JobContext) => {
          context.enqueueMany('next', [context.attempt, -context.attempt]);
          if (failures-- > 0) throw new Error('down');
          return context.attempt === 3 ? retryAfter(1_000) : undefined;
        },
      },
      next: (payload: unknown) => void ran.push(payload),
    });
    await jobs.start();
    const { id } = await jobs.enqueue('step', null);
    await clock.advance(10_000);
    expect((await look(id)).state).toBe('succeeded');
    expect(ran).toEqual([4, -4]);
  });

  it('an attempt that loses its lease leaves nothing', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = memoryStore({ clock });
    const ran: string[] = [];
    let release = () => {};
    const handlers = {
      step: async (_: unknown, context: JobContext) => {
        context.enqueue('next', `of attempt ${context.attempt}`);
        if (context.attempt > 1) return;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      next: (text: string) => void ran.push(text),
    };
    // Its heartbeats go nowhere, and another worker takes the job over.
    const silent = { ...store, heartbeat: () => new Promise<never>(() => {}) };
    const first = workBench(handlers, { store: silent }, clock);
    await first.jobs.start();
    const { id } = await first.jobs.enqueue('step', null);
    await clock.advance(10);
    const second = workBench(handlers, { store }, clock);
    await second.jobs.start();
    await clock.advance(40_000);
    release();
    await clock.advance(5_000);
    expect(await first.look(id)).toMatchObject({ state: 'succeeded', account: { claims: 2 } });
    expect(ran).toEqual(['of attempt 2']);
  });

  it('a refused job fails the attempt with the error of jobs.enqueue, and a later attempt may store it', async () => {
    const { jobs, clock, look, store } = workBench({
      step: {
        policy: quick,
        run: (_: unknown, context: JobContext) => {
          context.enqueue('next', 'first');
          context.enqueue('next', 'second', { uniqueKey: 'u', onConflict: 'refuse' });
          return 'done';
        },
      },
      next: () => {},
      held: () => {},
    });
    await jobs.enqueue('held', null, { uniqueKey: 'u', delayMs: 3_500 });
    await jobs.start();
    const { id } = await jobs.enqueue('step', null);
    await clock.advance(900);
    const failed = await look(id);
    // As if the handler had thrown the error itself: it is final.
    expect(failed).toMatchObject({ state: 'dead', account: { entries: { failed: 1 } } });
    expect(failed.attempts.kept[0]?.error?.message).toMatch(/has the unique key u/);
    expect(failed.attempts.kept[0]?.enqueued).toBeUndefined();
    const { groups } = await store.counts();
    expect(groups.filter(({ handler }) => handler === 'next')).toEqual([]);
    await clock.advance(5_000);
    await jobs.retry(id);
    await clock.advance(5_000);
    expect(await look(id)).toMatchObject({ state: 'succeeded', result: '"done"' });
    const after = (await store.counts()).groups.filter(({ handler }) => handler === 'next');
    expect(after).toMatchObject([{ state: 'succeeded', count: 2 }]);
  });

  it('checks what it is given at once', async () => {
    const errors: unknown[] = [];
    const attempt = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        errors.push((error as { code: string }).code);
      }
    };
    const { jobs, clock } = workBench({
      step: {
        policy: once,
        run: (_: unknown, context: JobContext) => {
          attempt(() => context.enqueue('nobody', 1));
          attempt(() => context.enqueue('next', new Map()));
          attempt(() => context.enqueue('next', 1, { priority: 9_999 }));
          attempt(() => context.enqueueMany('next', [1], (async () => ({})) as never));
          attempt(() => context.enqueueMany('next', Array.from({ length: 10_001 })));
          attempt(() => context.enqueue('next', 'x'.repeat(1 << 21)));
          context.enqueueMany(
            'next',
            Array.from({ length: 10_000 }, () => null),
          );
          attempt(() => context.enqueue('next', 1));
        },
      },
      next: () => {},
    });
    await jobs.start();
    await jobs.enqueue('step', null);
    await clock.advance(1_000);
    expect(errors).toEqual([
      'unknown_handler',
      ...Array.from({ length: 4 }, () => 'invalid_job'),
      'payload_too_large',
      'invalid_job',
    ]);
  });

  it('is refused after the attempt has ended', async () => {
    let late: JobContext | undefined;
    const { jobs, clock } = workBench({
      step: (_: unknown, context: JobContext) => {
        late = context;
      },
      next: () => {},
    });
    await jobs.start();
    await jobs.enqueue('step', null);
    await clock.advance(1_000);
    expect(() => late?.enqueue('next', 1)).toThrow('has ended, so nothing can be enqueued with it');
  });

  it('is written once, although the store did not answer and is asked again', async () => {
    const ran: unknown[] = [];
    const { jobs, clock, look, store } = workBench({
      step: (n: number, context: JobContext) => void context.enqueue('next', n, { delayMs: 5 }),
      next: (n: unknown) => void ran.push(n),
    });
    const { apply } = store;
    let lost = 0;
    Object.assign(store, {
      apply: async (commands: Parameters<typeof apply>[0]) => {
        const results = await apply(commands);
        const follows = commands.some(
          (each) => each.kind === 'settle' && (each.settlement.follow ?? []).length > 0,
        );
        if (follows && lost++ === 0) throw new Error('the connection is gone');
        return results;
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('step', 1);
    await clock.advance(20_000);
    expect(lost).toBeGreaterThan(1);
    expect((await look(id)).state).toBe('succeeded');
    expect(ran).toEqual([1]);
  });
});
