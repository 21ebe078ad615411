import { definePolicy, type ResolvedPolicy } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { recordedAttempts } from '@redrive/durable/audit';
import { type Attempts, RecordingReader, recommend, recordedOf } from '@redrive/lab';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { mean } from './figure.ts';
import { COMPARED, WORLDS } from './learned-schedule.ts';

const SESSIONS = 2;

/** Outages one after the other, on the worker and the store in memory, in virtual time. No breaker. */
async function runOutages(policy: ResolvedPolicy, lengths: readonly number[]) {
  const clock = virtualClock();
  clock.seedIds(1);
  const store = memoryStore({ clock });
  const sinceMs = clock.now();
  const attempts: number[] = [];
  const delays: number[] = [];
  let upMs = 0;
  const call = {
    policy,
    run: (_: null, { attempt }: { readonly attempt: number }) => {
      const lateMs = clock.monotonic() - upMs;
      if (lateMs < 0) throw new Error('down');
      attempts.push(attempt);
      delays.push(lateMs);
    },
  };
  const jobs = jobsOn(store, { call }, { clock, log: 'off' });
  await jobs.start();
  for (const [at, lengthMs] of lengths.entries()) {
    upMs = clock.monotonic() + lengthMs;
    for (let session = 0; session < SESSIONS; session += 1) {
      await jobs.enqueue('call', null);
      await clock.advance(500);
    }
    while (delays.length < SESSIONS * (at + 1)) await clock.advance(10_000);
    // Before the next outage somebody sees that the dependency is up.
    await clock.advance(60_000);
  }
  await jobs.stop();
  const reader = new RecordingReader();
  const window = { sinceMs, untilMs: clock.now() + 1 };
  for await (const attempt of recordedAttempts(store, { ...window, clock, starts: true })) {
    reader.add(recordedOf(attempt, attempt.handler));
  }
  reader.end();
  await store.close();
  return { recording: reader.attempts, attempts: mean(attempts), delayMs: mean(delays) };
}

const lengthsOf = (count: number, seed: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => (WORLDS.maintenance?.(random) ?? 0) * 1_000);
};
const recommended = (recording: Attempts) => recommend(recording, COMPARED);

test('on 15-minute maintenance the recommended schedule waits 40 % less after a recovery, at equal attempts', {
  timeout: 120_000,
}, async () => {
  const { recording } = await runOutages(COMPARED, lengthsOf(100, 1));
  const { chosen, recoveries, attemptTimeout } = recommended(recording);
  expect({ recoveries, kind: chosen?.kind }).toEqual({ recoveries: 100, kind: 'learned' });
  expect(attemptTimeout.successes, 'jobs keep when their last attempt began').toBe(200);
  const lengths = lengthsOf(100, 2);
  const before = await runOutages(COMPARED, lengths);
  const after = await runOutages(definePolicy({ ...COMPARED, ...chosen?.fields }), lengths);
  expect(after.delayMs).toBeLessThan(0.6 * before.delayMs);
  expect(after.attempts).toBeLessThan(1.03 * before.attempts);
});

test('it declines on 30 outages', async () => {
  const { recording } = await runOutages(COMPARED, lengthsOf(30, 1));
  expect(recommended(recording)).toMatchObject({ recoveries: 30, chosen: undefined });
});
