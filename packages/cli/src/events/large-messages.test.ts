import { createHash } from 'node:crypto';
import type { Bus } from '@redrive/durable/events';
import { natsBus } from '@redrive/nats';
import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';

let server: NatsService;
let bus: Bus;
beforeAll(async () => {
  server = await startNats({ config: 'max_payload: 4194304' });
  bus = natsBus(server.url);
}, 180_000);
afterAll(async () => {
  await bus?.close();
  await server?.stop();
});

const LARGE = Buffer.alloc(1_500_000, 'x');

/** `redrive start` with a source of its own on the real broker. */
async function setUp(name: string, more = '') {
  const place = workerPlace(
    onTestFinished,
    `version: "1.1.0"
buses: { main: { url: "${server.url}" } }
jobs: { handlers: { plain: { module: handlers.mjs, idempotent: true } } }
events:
  sources:
    ${name}: { bus: main, stream: ${name}, subject: ${name}.new, handler: plain${more} }
`,
  );
  const run = (...args: string[]) => runMain(args, place);
  await run('events', 'init');
  const worker = runningWorker(onTestFinished, place, ['--health-port', 'off']);
  await worker.line('source.state', ({ state }) => state === 'taking');
  await bus.publish([{ destination: `${name}.new`, body: LARGE, id: 'm-1' }]);
  return { place, run, worker };
}

test('a message above 1 MiB on JetStream: head and hash in the dead letter, the original moved to publish_to', async () => {
  const dlq = { name: 'nobody', stream: 'dlq', subject: 'moved.dlq' };
  await bus.declare(dlq);
  const { place, worker } = await setUp('moved', ', dead_letters: { publish_to: moved.dlq }');
  // The next message is stored after it.
  await bus.publish([{ destination: 'moved.new', body: Buffer.from('{}'), id: 'm-2' }]);
  await worker.line('job.succeeded', ({ job }) => job === 'moved-m-2');
  const job = await place.store.job('moved-m-1');
  expect([job?.state, job?.reason]).toEqual(['dead', 'message_too_large']);
  const shown = JSON.parse(job?.payload.kind === 'json' ? job.payload.text : '');
  const sha256 = createHash('sha256').update(LARGE).digest('hex');
  expect(shown).toEqual({ head: 'x'.repeat(16_384), bytes: LARGE.length, sha256 });
  const [moved] = (await bus.peek?.(dlq, 5)) ?? [];
  expect(moved?.id).toBe('moved-moved-m-1');
  expect(Buffer.compare(moved?.body ?? Buffer.of(), LARGE)).toBe(0);
});

test('without publish_to the source is paused with the reason, and the message stays in the broker', async () => {
  const { run, worker } = await setUp('blocked');
  const line = await worker.line('source.state', ({ state }) => state === 'blocked');
  expect(line.msg).toContain('a message is larger than 1 MiB. Set publish_to');
  worker.signal('SIGTERM');
  await worker.ran;
  const source = { name: 'blocked', stream: 'blocked', subject: 'blocked.new' };
  const [left] = (await bus.peek?.(source, 5)) ?? [];
  expect(left?.id).toBe('m-1');
  const [status] = JSON.parse((await run('status', '--json')).stdout).sources;
  expect(status.last_error).toContain('Set publish_to');
});
