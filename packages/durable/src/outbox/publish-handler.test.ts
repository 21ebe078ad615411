import { expect, it } from 'vitest';
import { memoryBus } from '../memory/memory-bus.ts';
import { workBench } from '../testing/work-bench.ts';
import { publishHandler } from './publish-handler.ts';

it('events.publish publishes with the id of its job, its headers and the read token', async () => {
  const bus = memoryBus();
  await bus.declare({ name: 'docs' });
  const handler = publishHandler({ main: bus }, { readToken: async () => '0/16B3748' });
  const { jobs, clock, look } = workBench({ 'events.publish': handler });
  await jobs.start();
  const headers = { authorization: 'secret-of-the-consumer' };
  const payload = { bus: 'main', destination: 'docs', event: { id: 7 }, headers };
  const { id } = await jobs.enqueue('events.publish', payload);
  await clock.advance(1_000);
  expect((await look(id)).state).toBe('succeeded');
  const [sent] = (await bus.peek?.({ name: 'docs' }, 10)) ?? [];
  expect(sent?.id).toBe(id);
  expect(String(Buffer.from(sent?.body ?? []))).toBe('{"id":7}');
  expect(sent?.headers).toEqual({ ...headers, 'redrive-read-token': '0/16B3748' });
});

it('a read token of the event itself stays: a change feed has that of its own database', async () => {
  const bus = memoryBus();
  await bus.declare({ name: 'docs' });
  const handler = publishHandler({ main: bus }, { readToken: async () => '0/16B3748' });
  const { jobs, clock } = workBench({ 'events.publish': handler });
  await jobs.start();
  const headers = { 'redrive-read-token': '1789:1' };
  await jobs.enqueue('events.publish', { bus: 'main', destination: 'docs', event: 1, headers });
  await clock.advance(1_000);
  const [sent] = (await bus.peek?.({ name: 'docs' }, 10)) ?? [];
  expect(sent?.headers).toEqual(headers);
});

it('an event whose destination does not exist yet waits; one that no bus takes is a dead letter', async () => {
  const bus = memoryBus();
  const { jobs, clock, look } = workBench({ 'events.publish': publishHandler({ main: bus }) });
  await jobs.start();
  const late = await jobs.enqueue('events.publish', {
    bus: 'main',
    destination: 'late',
    base64: 'AAE=',
  });
  const never = await jobs.enqueue('events.publish', { bus: 'other', destination: 'x', event: 1 });
  await clock.advance(30_000);
  expect((await look(never.id)).state).toBe('dead');
  expect((await look(late.id)).state).toBe('scheduled');
  await bus.declare({ name: 'late' });
  await clock.advance(120_000);
  expect((await look(late.id)).state).toBe('succeeded');
  const [sent] = (await bus.peek?.({ name: 'late' }, 10)) ?? [];
  expect([...(sent?.body ?? [])]).toEqual([0, 1]);
});
