import { systemClock } from '@redrive/core';
import { type FullStore, jobsOn, memoryStore } from '@redrive/durable';
import { pauseWork } from '@redrive/durable/control';
import { memoryBus } from '@redrive/durable/events';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { StopSignal } from '../terminal/signals.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
jobs:
  queues: [chunking]
  handlers: { chunking.json_parsed: { module: "./chunk.mjs", idempotent: true } }
events:
  sources:
    chunking:
      bus: main
      stream: docs
      subject: json.parsed
      handler: chunking.json_parsed
      key: ["data.message_ids"]
      dead_letters: { publish_to: chunking.dlq }
`;
const HANDLER = `export default async ({ data }) => {
  throw new Error('No message ' + data.message_ids);
};
`;

/** `redrive start` in virtual time, on a store and a bus in memory. */
async function setUp(extra: readonly string[] = [], before?: (store: FullStore) => Promise<void>) {
  const files = { 'redrive.yaml': CONFIG, 'chunk.mjs': HANDLER };
  const directory = scratchDirectory(onTestFinished, files);
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12), monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const bus = memoryBus();
  const place = { directory, store, bus, clock, env: { PATH: process.env.PATH } };
  const run = (...args: string[]) => runMain(args, place);
  await run('events', 'init');
  let send: (signal: StopSignal) => void = () => {};
  const onSignals = (sender: typeof send) => {
    send = sender;
  };
  await before?.(store);
  const args = ['start', '--json', '--health-port', 'off', ...extra];
  const ran = runMain(args, { ...place, onSignals });
  let isOver = false;
  void ran.finally(() => {
    isOver = true;
  });
  /** Modules load in real time, so each step gives it some. */
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (let step = 0; step < 2_000; step += 1) {
      if (await isSo()) return;
      await clock.advance(250);
      await new Promise<void>((resolve) => systemClock.setTimer(1, resolve));
    }
    throw new Error('It did not happen');
  };
  onTestFinished(async () => {
    send('SIGTERM');
    send('SIGTERM');
    await until(() => isOver);
  });
  return { run, bus, clock, store, until, ran, isOver: () => isOver };
}

test('publish_to: a destination that takes nothing is in events check and status, and letters arrive when it does', async () => {
  const { run, bus, store, until } = await setUp();
  await run('events', 'publish', 'chunking', '{"data":{"message_ids":["abc"]}}');
  const names = async () =>
    (await store.failing({ atMost: 10 })).jobs.map(({ handler }) => handler);
  await until(async () => (await names()).includes('events.publish_dead_letters'));
  const why =
    'Dead letters of chunking are not published to chunking.dlq: No source has the subject chunking.dlq';
  const check = await run('events', 'check');
  expect([check.exitCode, check.stdout]).toEqual([0, expect.stringContaining(`warning: ${why}`)]);
  expect((await run('status')).stdout).toContain('events.publish_dead_letters has been failing');

  await bus.declare({ name: 'chunking.dlq' });
  const sent = async () => (await bus.peek?.({ name: 'chunking.dlq' }, 10)) ?? [];
  await until(async () => (await sent()).length > 0);
  const [letter] = await sent();
  expect(letter?.id).toBe('chunking-abc');
  expect(JSON.parse(String(Buffer.from(letter?.body ?? [])))).toMatchObject({
    original_event: { data: { message_ids: ['abc'] } },
    idempotency_key: 'chunking-abc',
    attempt_count: 1,
    last_error: 'Error: No message abc',
    error_type: 'Error',
    abandoned_reason: 'non_retryable',
    service_name: 'chunking',
  });
  await until(async () => (await names()).length === 0);
  expect((await run('events', 'check')).stdout).toBe('chunking on memory: ok, 0 waiting\n');
  const shown = await run('schedules', 'show', 'events.dead_letters.chunking', '--json');
  expect(JSON.parse(shown.stdout).totals).toMatchObject({ published: 1 });
});

/** Stores a job of the source that dies at its first attempt. */
async function event(store: FullStore): Promise<void> {
  const jobs = jobsOn(store, { 'chunking.json_parsed': (_: object) => {} });
  const payload = { data: { message_ids: ['abc'] } };
  const once = { queue: 'chunking', policy: 'events.default' };
  await jobs.enqueue('chunking.json_parsed', payload, once);
}

test('--until-idle ends when the dead letters of sources are published, and not before', async () => {
  const { run, bus, ran, until, isOver } = await setUp(['--until-idle'], event);
  await bus.declare({ name: 'chunking.dlq' });
  await until(isOver);
  const { exitCode, stdout } = await ran;
  expect(exitCode).toBe(5);
  expect(await bus.peek?.({ name: 'chunking.dlq' }, 10)).toHaveLength(1);
  const waits = 'Dead letters of chunking are not published to chunking.dlq yet';
  expect(stdout.split(waits)).toHaveLength(2);
  const shown = await run('schedules', 'show', 'events.dead_letters.chunking', '--json');
  expect(JSON.parse(shown.stdout).totals).toMatchObject({ published: 1 });
});

test('--until-idle does not wait for dead letters whose schedule is paused', async () => {
  const { bus, ran, until, isOver, store } = await setUp(['--until-idle'], async (store) => {
    const paused = { scope: 'schedule', name: 'events.dead_letters.chunking' } as const;
    await pauseWork(store, { ...paused, actor: { name: 'eve' } });
    await event(store);
  });
  await bus.declare({ name: 'chunking.dlq' });
  await until(isOver);
  expect((await ran).exitCode).toBe(5);
  expect(await bus.peek?.({ name: 'chunking.dlq' }, 10)).toEqual([]);
  expect((await store.counts()).groups).toMatchObject([{ state: 'dead' }]);
});
