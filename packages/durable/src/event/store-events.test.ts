import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { type EventSource, resolveSource } from './event-source.ts';
import { storeEvents } from './store-events.ts';

it('an event is no duplicate of a job of another source or handler: a dead letter, and its redelivery a duplicate', async () => {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const take = (source: Pick<EventSource, 'name' | 'handler'>, id: string) => {
    const context = {
      source: resolveSource({ bus: 'main', ...source }),
      clock,
      actor: { name: 't' },
    };
    const delivery = {
      ...{ id, destination: 'd', body: Buffer.from('{}'), headers: {} },
      redelivered: false,
    };
    return storeEvents(store, context, [delivery]);
  };
  const mail = { name: 'mail', handler: 'send' };
  const audit = { name: 'mail-audit', handler: 'send' };
  const answers = [
    await take(mail, 'audit-7'),
    await take(mail, 'audit-7'),
    await take(audit, '7'),
    await take(audit, '7'),
    await take({ name: 'mail', handler: 'other' }, 'audit-7'),
  ];
  expect(answers.flat()).toEqual([
    'stored',
    'duplicate',
    'dead_lettered',
    'duplicate',
    'dead_lettered',
  ]);
  const { jobs } = await store.deadLetters({}, { limit: 10 });
  expect(jobs.map(({ queue, reason }) => `${queue} ${reason}`).toSorted()).toEqual([
    'mail idempotency_conflict',
    'mail-audit idempotency_conflict',
  ]);
});

it('the event of a sweep is a job of its own beside the first event of its document, with the same idempotency key', async () => {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const source = resolveSource({
    ...{ name: 'orders', bus: 'main', handler: 'place', key: ['data.order'] },
  });
  const take = (event: object) => {
    const body = Buffer.from(JSON.stringify(event));
    const delivery = { destination: 'd', body, headers: {}, redelivered: false };
    return storeEvents(store, { source, clock, actor: { name: 't' } }, [delivery]);
  };
  const first = { event_id: 'e-1', data: { order: 'o-1' } };
  const swept = { ...first, event_id: 's-1', retry_sweep: { attempt: 1 } };
  const again = { ...first, event_id: 's-2', retry_sweep: { attempt: 2 } };
  const answers = [await take(first), await take(swept), await take(swept), await take(again)];
  expect(answers.flat()).toEqual(['stored', 'stored', 'duplicate', 'stored']);
  const ids = ['orders-o-1', 'orders-o-1-sweep-s-1', 'orders-o-1-sweep-s-2'];
  const jobs = await Promise.all(ids.map((id) => store.job(id)));
  expect(jobs.map((job) => job?.idempotencyKey)).toEqual(ids.map(() => 'orders-o-1'));
});
