import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { natsBus } from '@redrive/nats';
import { rabbitmqBus } from '@redrive/rabbitmq';
import { startNats, startRabbitmq, until } from '@redrive/testkit/services';
import { connect } from 'amqplib';
import { expect, onTestFinished, test } from 'vitest';

// The how-to about failed queues as an operator goes through it, on a real broker.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/take-over-a-failed-queue.md'), 'utf8');
const blocksOf = (kind: string) =>
  [...page.matchAll(new RegExp(`^ *\`\`\`${kind}\\n(.*?)^ *\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );

const HANDLER = "export default async () => 'handled';\n";
const LETTER = {
  original_event: { n: 1 },
  idempotency_key: 'chunking-1',
  attempt_count: 8,
  last_error: 'DocumentNotFoundError: No messages found',
  error_type: 'DocumentNotFoundError',
  abandoned_reason: 'max_attempts_exceeded',
  service_name: 'chunking',
  timestamp: '2026-01-17T05:00:00Z',
};

/** A directory of an operator, and the command line in it. */
function operator(url: string): (block: string) => string {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-failed-queue-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  mkdirSync(join(directory, 'bin'));
  const npx = join(directory, 'bin/npx');
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(npx, 0o755);
  const [page = ''] = blocksOf('yaml');
  const isNats = url.startsWith('nats:');
  const config = isNats ? page : page.replace('stream: docs, subject: json.parsed', 'queue: docs');
  writeFileSync(join(directory, 'redrive.yaml'), config.replace('nats://127.0.0.1:4222', url));
  writeFileSync(join(directory, 'chunking.mjs'), HANDLER);
  return (block) => {
    const { stdout, stderr, status, error } = spawnSync('sh', ['-ec', block], {
      cwd: directory,
      env: { ...process.env, PATH: `${join(directory, 'bin')}:${process.env.PATH}` },
      encoding: 'utf8',
      timeout: 90_000,
    });
    if (error) throw error;
    expect(status, block + stdout + stderr).toBe(0);
    return stdout + stderr;
  };
}

test('the how-to about failed queues does what it says', { timeout: 180_000 }, async () => {
  const nats = await startNats();
  onTestFinished(() => nats.stop());
  const bus = natsBus(nats.url);
  onTestFinished(() => bus.close());
  await bus.declare({ name: 'others', stream: 'failed', subject: 'parsing.failed' });
  const bodies = [JSON.stringify(LETTER), '{"n":2}', '{"n":3}'].map((text) => Buffer.from(text));
  await bus.publish(
    bodies.map((body, n) => ({ destination: 'parsing.failed', body, id: `m-${n}` })),
  );
  const run = operator(nats.url);
  const [dry = '', take = '', groups = '', requeue = '', ...rest] = blocksOf('sh');
  expect(rest).toEqual([]);
  run('npx redrive events init');
  const planned = run(dry);
  expect(planned).toContain('3 dead letters of failed would be imported.');
  expect(planned).toContain('2 messages do not say which queue to go back to');
  expect(run(take)).toContain('3 dead letters of failed were imported.');
  expect(run(take)).toContain('0 dead letters of failed were imported.');
  expect(run(groups)).toContain('DocumentNotFoundError');
  run(requeue);
  const home = { name: 'nobody', stream: 'docs', subject: 'json.parsed' };
  const sent = (await bus.peek?.(home, 10)) ?? [];
  const events = sent.map(({ body }) => JSON.parse(String(Buffer.from(body))));
  expect(events.toSorted((a, b) => a.n - b.n)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a failed queue of RabbitMQ: x-death gives reason and destination', {
  timeout: 240_000,
}, async () => {
  const rabbitmq = await startRabbitmq();
  onTestFinished(() => rabbitmq.stop());
  const bus = rabbitmqBus(rabbitmq.url);
  onTestFinished(() => bus.close());
  const failed = { name: 'failed', queue: 'failed' };
  await bus.declare(failed);
  // Messages of `parsing` expire at once, and the broker moves them.
  const connection = await connect(rabbitmq.url);
  const channel = await connection.createChannel();
  const moves = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': 'failed' };
  const settings = { durable: true, arguments: { ...moves, 'x-message-ttl': 1 } };
  await channel.assertQueue('parsing', settings);
  const isFailed = (count: number) =>
    until(async () => (await channel.checkQueue('failed')).messageCount === count, {
      timeoutMs: 30_000,
    });
  const body = Buffer.from('{"n":1}');
  await bus.publish(['m-1', 'm-2'].map((id) => ({ destination: 'parsing', body, id })));
  expect(await isFailed(2)).toBe(true);

  const run = operator(rabbitmq.url);
  run('npx redrive events init');
  const dry = run('npx redrive dlq import main failed --dry-run');
  expect(dry).toContain('2 dead letters of failed would be imported.');
  const done = run('npx redrive dlq import main failed');
  expect(done).toContain('2 dead letters of failed were imported.');
  expect(await isFailed(0)).toBe(true);
  const listed = run('npx redrive dlq list --queue failed --jsonl 2>/dev/null');
  const { id } = JSON.parse(listed.split('\n')[0] ?? '');
  const shown = JSON.parse(run(`npx redrive dlq show ${id} --payload full --json 2>/dev/null`));
  expect(shown).toMatchObject({
    original_event: { bus: 'main', destination: 'parsing', event: { n: 1 } },
    attempt_count: 1,
    abandoned_reason: 'ttl_exceeded',
  });
  // Published to `parsing`, confirmed: they expire again.
  run('npx redrive dlq requeue --queue failed --yes\nnpx redrive start --until-idle');
  expect(await isFailed(2)).toBe(true);
  await connection.close();
});
