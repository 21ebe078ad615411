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
