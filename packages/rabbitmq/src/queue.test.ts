import { expect, test } from 'vitest';
import { problemsOf } from './queue.ts';

test('a delivery limit with at-least-once dead-lettering is a warning, with the remedy', () => {
  const settings = {
    'x-queue-type': 'quorum',
    'x-delivery-limit': 5,
    'x-dead-letter-exchange': 'failed',
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
  const found = { waiting: 0, durable: true, autoDelete: false, arguments: settings };
  expect(problemsOf({ name: 'orders', queue: 'orders' }, found, '3.10.8')).toEqual([
    {
      severity: 'warning',
      problem: expect.stringContaining('dead-letters a message after 5 deliveries'),
      remedy: expect.stringContaining('without a limit'),
    },
    expect.objectContaining({ problem: expect.stringContaining('Policies of queue orders') }),
  ]);
});

test('reject-publish keeps messages that are too many, not those that are too old', () => {
  const settings = {
    'x-overflow': 'reject-publish',
    'x-message-ttl': 60_000,
    'x-expires': 60_000,
    'x-max-length': 10,
    'x-max-length-bytes': 1_000,
  };
  const found = { waiting: 0, durable: true, autoDelete: false, arguments: settings };
  const problems = problemsOf({ name: 'orders', queue: 'orders' }, found, '3.10.8');
  expect(problems.map(({ problem }) => problem)).toEqual([
    'Queue orders removes messages that nobody has taken (x-message-ttl, x-expires)',
    expect.stringContaining('Policies of queue orders'),
  ]);
});
