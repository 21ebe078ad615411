import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OutsideProject } from './outside.ts';

// The OpenTelemetry SDK of the registry with the tarballs: as a stranger runs it.
vi.setConfig({ testTimeout: 120_000 });

let project: OutsideProject;
let nats: NatsService;
beforeAll(async () => {
  project = new OutsideProject('opentelemetry');
  nats = await startNats();
}, 600_000);
afterAll(async () => {
  project?.remove();
  await nats?.stop();
}, 120_000);

const job = `  enqueue ship
    attempt ship (error)
      redrive.decision: retry, retryable_error
    attempt ship
      redrive.decision: succeed, succeeded
      shipping.book
        attempt shipping.book (error)
          redrive.decision: retry, retryable_error
        attempt shipping.book
          redrive.decision: succeed, succeeded
`;

test('a request, its job and the call of the job are one trace, and the meter has what they did', () => {
  const { status, stdout, stderr } = project.run(process.execPath, ['main.mjs']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`booked\nPOST /orders\n${job}enqueue ship\n`);
  // Six calls of the handler ship: three orders, and each fails once. The first call of the other service fails, too.
  const counted = stdout.split('\n').filter((line) => line.startsWith('redrive_'));
  expect(counted).toEqual([
    'redrive_attempts_total {"operation":"ship","entry":"failed"} 3',
    'redrive_attempts_total {"operation":"ship","entry":"succeeded"} 3',
    'redrive_attempts_total {"operation":"shipping.book","entry":"failed"} 1',
    'redrive_attempts_total {"operation":"shipping.book","entry":"succeeded"} 3',
    'redrive_operations_total {"operation":"ship","result":"recovered"} 3',
    'redrive_operations_total {"operation":"shipping.book","result":"first_try"} 2',
    'redrive_operations_total {"operation":"shipping.book","result":"recovered"} 1',
    'redrive_retry_delay_seconds {"rung":"call"} count 1',
    'redrive_retry_delay_seconds {"rung":"job"} count 3',
  ]);
});

test('an event over NATS and its attempt in another process belong to the trace of the request', async () => {
  const env = { NATS_URL: nats.url };
  const consumer = project.start(process.execPath, ['consumer.mjs'], env);
  expect(await consumer.nextLine()).toBe('ready');
  const published = project.run(process.execPath, ['publisher.mjs'], env);
  expect(published).toMatchObject({ status: 0, stderr: '' });
  const [traceId, names] = published.stdout.split('\n');
  expect(names).toBe(
    'POST /orders, attempt events.publish, enqueue events.publish, publish orders.placed',
  );
  expect(await consumer.nextLine()).toBe('17');
  expect(await consumer.nextLine()).toBe(`attempt orders.placed ${traceId}`);
  expect(await consumer.end()).toMatchObject({ status: 0 });
});
