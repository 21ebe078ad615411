import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { START_MS } from '../testing/work-bench.ts';
import { eventCommand } from './event-command.ts';
import { chargedBefore, deadlineMsOf, eventHeaders } from './event-headers.ts';
import { resolveSource } from './event-source.ts';

const clock = virtualClock({ startMs: START_MS });
const source = resolveSource({ name: 'mail', bus: 'main', handler: 'send' });
const stored = (headers: Record<string, string>) =>
  eventCommand(
    { destination: 'mail', body: Buffer.from('{}'), id: 'm-1', headers, redelivered: false },
    { source, clock, actor: { name: 'test' } },
  );

it('session, account and an absolute deadline travel in the headers of a message', () => {
  const session = { sessionId: 'order-7', retries: { count: 2 }, timeLeftMs: () => 60_000 };
  const headers = eventHeaders(session, clock);
  expect(headers).toEqual({
    'redrive-session': 'order-7',
    'redrive-retries': '2',
    'redrive-time-left-ms': '60000',
    'redrive-deadline': '2026-01-29T12:01:00.000Z',
  });
  const { job, account, deadline } = stored(headers);
  expect(job.correlationId).toBe('order-7');
  expect(account.entries.failed).toBe(2);
  expect(deadline).toEqual({ atMs: START_MS + 60_000 });
});

it('headers from strangers only lower what is allowed', () => {
  expect(stored({}).account.entries.failed).toBe(0);
  const bad = {
    'redrive-retries': '-3',
    'redrive-deadline': 'tomorrow',
    'redrive-session': '\u0000',
  };
  const { job, account, deadline } = stored(bad);
  expect([job.correlationId, account.entries.failed, deadline]).toEqual([undefined, 0, undefined]);
  expect(chargedBefore({ 'redrive-retries': '999999999' })).toBe(1_000);
  expect(deadlineMsOf({ 'redrive-deadline': '1769688000000' })).toBe(START_MS);
});
