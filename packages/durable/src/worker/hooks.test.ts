import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { replayJob } from '../audit/replay.ts';
import { verifyAudit } from '../audit/verify.ts';
import type { DeadLetterEnvelope } from '../dead-letter/envelope.ts';
import { hookId } from '../dead-letter/hook.ts';
import { jobDocument } from '../documents/job-document.ts';
import { consumeEvents } from '../event/event-consumer.ts';
import { runsElsewhere } from '../handler/handler.ts';
import type { JobContext } from '../handler/job-context.ts';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const once = { maxAttempts: 1 } as const;

/** A handler that fails, and the letters that its hook gets. */
function hooked(run: () => unknown = () => Promise.reject(new Error('no stock'))) {
  const letters: DeadLetterEnvelope[] = [];
  const handlers = {
    pay: { run: (_: unknown) => run(), policy: once, onDead: 'refund' },
    refund: (letter: DeadLetterEnvelope) => void letters.push(letter),
  };
  return { letters, handlers };
}

describe('onDead', () => {
  it('gets the envelope of a dead letter, with its whole payload', async () => {
    const { letters, handlers } = hooked();
    const { jobs, clock, look, store } = workBench(handlers);
    await jobs.start();
    const payload = { order: 7, token: 'secret', note: 'x'.repeat(5_000) };
    const { id } = await jobs.enqueue('pay', payload, { tenant: 'acme', queue: 'slow' });
    await clock.advance(1_000);
    expect(letters).toMatchObject([
      {
        original_event: payload,
        attempt_count: 1,
        last_error: 'Error: no stock',
        abandoned_reason: 'max_attempts_exceeded',
        redrive: { id, generation: 1, reason_code: 'max_attempts_exceeded' },
      },
    ]);
    const hook = await look(hookId(id, 1));
    expect(hook).toMatchObject({ state: 'succeeded', tenant: 'acme', queue: 'slow', parentId: id });
    expect(hook.payload).toEqual({
      kind: 'json',
      text: JSON.stringify({ dead_letter: id, generation: 1 }),
    });
    expect(jobDocument(await look(id))).toMatchObject({
      on_dead: 'refund',
      leads_to: { count: 1, ids: [hook.id] },
    });
    await jobs.stop();
    while ((await store.seal()) !== undefined);
    const reader = await store.readAudit();
    expect((await verifyAudit(reader)).problems).toEqual([]);
    await reader.close();
    expect((await replayJob(store, id))?.same).toBe(true);
  });

  it('runs once per death: also after a deadline, and once more when a requeued job dies again', async () => {
    const { letters, handlers } = hooked();
    const { jobs, clock, look } = workBench(handlers, { queues: ['default'] });
    await jobs.start();
    const late = await jobs.enqueue('pay', 'late', {
      delayMs: 5_000,
      deadline: new Date(clock.now() + 1_000),
    });
    await clock.advance(10_000);
    expect(letters.map(({ abandoned_reason }) => abandoned_reason)).toEqual(['ttl_exceeded']);
    await jobs.retry(late.id);
    await clock.advance(10_000);
    expect(letters).toHaveLength(2);
    expect(letters[1]).toMatchObject({ original_event: 'late', redrive: { generation: 2 } });
    await clock.advance(100_000);
    expect(letters).toHaveLength(2);
    expect(jobDocument(await look(late.id)).leads_to.ids).toEqual([hookId(late.id, 2)]);
  });

  it('runs for a lease that is lost for the last time', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = memoryStore({ clock });
    const { letters, handlers } = hooked(() => 'done');
    const { jobs, look } = workBench(handlers, { store }, clock);
    const { id } = await jobs.enqueue('pay', 1);
    const lane = { handler: 'pay', limit: 1, policyHash: '', limitPerKey: 1 };
    const claim = { worker: 'gone', leaseMs: 30_000, lanes: [lane], limit: 1, ahead: 0 } as const;
    await store.apply([{ kind: 'claim', ...claim, alone: true }]);
    await jobs.start();
    await clock.advance(60_000);
    expect((await look(id)).state).toBe('dead');
    expect(letters).toMatchObject([{ redrive: { id, reason_code: 'max_attempts_exceeded' } }]);
  });

  it('does not run for a cancellation, a success or a retry', async () => {
    let failures = 1;
    const { letters, handlers } = hooked(() => {
      if (failures-- > 0) throw new Error('once');
    });
    const { jobs, clock } = workBench(handlers);
    await jobs.start();
    await jobs.enqueue('pay', 1, { policy: { maxAttempts: 3, baseDelayMs: 1 } });
    const waiting = await jobs.enqueue('pay', 2, { delayMs: 60_000 });
    await jobs.cancel(waiting.id);
    await clock.advance(120_000);
    expect(letters).toEqual([]);
  });

  it('is the one that the job was enqueued with, whatever the handler says by then', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = memoryStore({ clock });
    const { letters, handlers } = hooked();
    const before = workBench(handlers, { store }, clock);
    const { id } = await before.jobs.enqueue('pay', 1);
    const later: unknown[] = [];
    const after = workBench(
      {
        pay: { ...handlers.pay, onDead: 'other' },
        refund: handlers.refund,
        other: (letter: unknown) => void later.push(letter),
      },
      { store },
      clock,
    );
    await after.jobs.start();
    await clock.advance(10_000);
    expect([letters.length, later.length]).toEqual([1, 0]);
    expect((await after.look(hookId(id, 1))).handler).toBe('refund');
  });

  it('gets what is known of the death if the job was requeued before its hook ran', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = memoryStore({ clock });
    const { letters, handlers } = hooked();
    const first = workBench({ ...handlers, refund: runsElsewhere() }, { store }, clock);
    await first.jobs.start();
    const { id } = await first.jobs.enqueue('pay', 'first');
    await clock.advance(5_000);
    const payload = { kind: 'json', text: '"second"' } as const;
    const actor = { name: 'test' };
    await store.apply([{ kind: 'act', act: 'requeue', id, actor, payload }]);
    await clock.advance(5_000);
    expect(letters).toEqual([]);
    await workBench(handlers, { store }, clock).jobs.start();
    await clock.advance(60_000);
    const shown = letters.map(({ original_event, attempt_count, last_error, redrive }) => [
      ...[original_event, attempt_count, last_error],
      redrive.generation,
    ]);
    expect(shown.sort()).toEqual([
      ['first', 1, 'Error: no stock', 1],
      ['second', 1, 'Error: no stock', 2],
    ]);
  });

  it('is stored with the jobs of schedules and events too, and with those of an attempt', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const { letters, handlers } = hooked();
    const { jobs, store } = workBench(
      { ...handlers, start: (_: unknown, context: JobContext) => void context.enqueue('pay', 'c') },
      {},
      clock,
    );
    await jobs.start();
    jobs.schedule('pulse', { handler: 'pay', payload: 's', everyMs: 60_000 });
    const bus = memoryBus();
    const source = { name: 'orders', bus: 'main', handler: 'pay' };
    await bus.declare(source);
    const consumer = consumeEvents(source, { bus, store, jobs, clock });
    await bus.publish([{ destination: 'orders', body: Buffer.from('"e"'), id: 'm-1' }]);
    await bus.publish([{ destination: 'orders', body: Buffer.from('no JSON'), id: 'm-2' }]);
    await jobs.enqueue('start', null);
    await jobs.enqueueBatch('start', [], { then: { handler: 'pay', data: 't' } });
    await clock.advance(61_000);
    await consumer.stop();
    await bus.close();
    const events = letters.map(({ original_event }) => original_event);
    for (const each of ['s', 'c', 'e']) expect(events).toContain(each);
    expect(events).toContainEqual(expect.objectContaining({ data: 't' }));
    expect(letters.map(({ redrive }) => redrive.reason_code)).toContain('invalid_message');
  });

  it('must name a handler that has none itself', () => {
    const make = (handlers: Record<string, object>) => () => workBench(handlers as never);
    const run = () => {};
    expect(make({ a: { run, onDead: 'nobody' } })).toThrow('onDead names no handler: nobody');
    expect(make({ a: { run, onDead: 'a' } })).toThrow('a hook of a hook is not possible');
    expect(make({ a: { run, onDead: 'b' }, b: { run, onDead: 'c' }, c: { run } })).toThrow(
      'a: onDead names b, which has onDead itself',
    );
    expect(make({ a: { run, onDead: 7 } })).toThrow('onDead must be a text');
  });

  it('fails for good if the letter was deleted before, or somebody has edited its reference', async () => {
    const { letters, handlers } = hooked();
    const { jobs, clock, store, look } = workBench(handlers);
    const { id } = await jobs.enqueue('pay', 1);
    await jobs.start();
    await clock.advance(1_000);
    expect(letters).toHaveLength(1);
    const actor = { name: 'test' };
    const hook = hookId(id, 1);
    await store.apply([
      {
        kind: 'enqueue',
        job: {
          ...(await look(hook)),
          ...{ id: 'gone', payload: { kind: 'json', text: '{"dead_letter":"x","generation":1}' } },
        },
        ...{ onConflict: 'existing', account: (await look(id)).account, actor },
      },
      {
        kind: 'enqueue',
        job: { ...(await look(hook)), id: 'edited', payload: { kind: 'json', text: '3' } },
        ...{ onConflict: 'existing', account: (await look(id)).account, actor },
      },
    ]);
    await clock.advance(10_000);
    for (const each of ['gone', 'edited']) expect((await look(each)).state).toBe('dead');
    expect(letters).toHaveLength(1);
  });
});
