import { final, type Job, jobsOn, memoryStore, retryAfter } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { telemetry } from './telemetry.ts';

const HANDLERS = ['mail', 'import', 'index'] as const;
const RUNS = 4;

/** The value of each series of a counter whose handler is known. */
function countersIn(body: string, metric: string): Map<string, number> {
  const lines = body.matchAll(
    new RegExp(`^${metric}\\{operation="(\\w+)"(?:,\\w+="(\\w+)")?\\} (\\d+)$`, 'gm'),
  );
  return new Map(
    [...lines].map(([, operation, label = '', value]) => [
      `${operation} ${label}`.trim(),
      Number(value),
    ]),
  );
}

function add(to: Map<string, number>, from: Iterable<readonly [string, number]>): void {
  for (const [key, value] of from) to.set(key, (to.get(key) ?? 0) + value);
}

const withoutZeros = (counts: Map<string, number>) =>
  Object.fromEntries([...counts].filter(([, value]) => value > 0).sort());

test('counters equal the audit log after a run with orderly restarts', async () => {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  const random = seededRandom(7);
  const run = async (_: unknown) => {
    const outcome = random();
    if (outcome < 0.15) return final('no such address');
    if (outcome < 0.25) return retryAfter(2_000);
    if (outcome < 0.6) throw new Error('connection reset');
    await new Promise<void>((resolve) => clock.setTimer(500, resolve));
    return 'done';
  };
  const policy = { id: 'quick', maxAttempts: 3, baseDelayMs: 1_000, jitter: 'none' } as const;
  const handlers = Object.fromEntries(
    HANDLERS.map((name) => [name, { policy, run, idempotent: true }]),
  );
  const attempts = new Map<string, number>();
  const operations = new Map<string, number>();
  const dead = new Map<string, number>();

  for (let restart = 0; restart < RUNS; restart += 1) {
    const metrics = telemetry({ clock });
    const { events, onNotice } = metrics;
    const jobs = jobsOn(store, handlers, { clock, events, onNotice, concurrency: 5 });
    for (const handler of HANDLERS) {
      await jobs.enqueueMany(
        handler,
        Array.from({ length: 20 }, (_, index) => index),
      );
    }
    await jobs.start();
    for (let step = 0; step < 20; step += 1) await clock.advance(300);
    // In the middle of it; the last one works until nothing is left.
    if (restart === RUNS - 1) for (let step = 0; step < 400; step += 1) await clock.advance(300);
    const stopping = jobs.stop({ mode: restart === 1 ? 'release' : 'finish' });
    await clock.advance(5_000);
    await stopping;
    const { body } = await metrics.scrape();
    metrics.close();
    add(attempts, countersIn(body, 'redrive_attempts_total'));
    add(operations, countersIn(body, 'redrive_operations_total'));
    add(dead, countersIn(body, 'redrive_dead_letters_added_total'));
  }

  const log = await readLog(store);
  expect(withoutZeros(attempts)).toEqual(withoutZeros(log.attempts));
  expect(withoutZeros(dead)).toEqual(withoutZeros(log.dead));
  const ended = [...operations.values()].reduce((sum, value) => sum + value, 0);
  expect(ended).toBe(RUNS * HANDLERS.length * 20);
  expect(ended).toBe(log.ended);
  expect(log.attempts.size).toBeGreaterThan(6);
});

/** The same numbers, from the records of the log. */
async function readLog(store: ReturnType<typeof memoryStore>) {
  const attempts = new Map<string, number>();
  const dead = new Map<string, number>();
  const handlerOf = new Map<string, Job['handler']>();
  let ended = 0;
  for await (const block of blocksOf(store)) {
    for (const { id, event, to, detail } of recordsIn(block)) {
      if (event === 'enqueue') handlerOf.set(id, String(detail.handler));
      if (event !== 'settle') continue;
      const handler = handlerOf.get(id) ?? '?';
      // A job that was claimed ahead and released at a stop made no attempt.
      if (detail.entry !== 'interrupted' || Number(detail.durationMs) > 0) {
        add(attempts, [[`${handler} ${detail.entry}`, 1]]);
      }
      if (to === 'succeeded' || to === 'dead') ended += 1;
      if (to === 'dead') add(dead, [[`${handler} ${REASONS[String(detail.reason)]}`, 1]]);
    }
  }
  return { attempts, dead, ended };
}

async function* blocksOf(store: ReturnType<typeof memoryStore>) {
  for (let after = 0; ; ) {
    const page = await store.auditBlocks(after, 1_000);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.seq ?? after;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  final_error: 'non_retryable',
  max_attempts_exceeded: 'max_attempts',
};
