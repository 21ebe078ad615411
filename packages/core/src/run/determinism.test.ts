import { type Policy, type RetryRecord, retry, syncSink } from '@redrive/core';
import { sessionRandom } from '@redrive/core/stored';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

/** The waits of a session that always fails, as its records tell them. */
async function waitsOf(sessionId: string, policy: Policy) {
  const clock = virtualClock();
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  const call = retry(() => Promise.reject(new Error('down')), policy, { clock, sessionId, events });
  await Promise.all([call.catch(() => {}), clock.runAll()]);
  return records.flatMap((record) =>
    record.kind === 'attempt_started' && record.attempt > 1 ? [record.delayMs] : [],
  );
}

describe('a session of a given id', () => {
  it.each(['full', 'equal', 'decorrelated', 'proportional'] as const)(
    'draws the same waits twice with %s jitter, and another session draws others',
    async (jitter) => {
      const policy: Policy = { maxAttempts: 6, jitter, maxDelayMs: 300_000 };
      const waits = await waitsOf('session-1', policy);
      expect(waits).toHaveLength(5);
      expect(await waitsOf('session-1', policy)).toEqual(waits);
      expect(await waitsOf('session-2', policy)).not.toEqual(waits);
    },
  );

  it('draws the waits that its id and the policy say', async () => {
    const policy: Policy = { maxAttempts: 4, jitter: 'full', baseDelayMs: 1_000 };
    const waits = await waitsOf('session-1', policy);
    for (const [index, waitMs] of waits.entries()) {
      const nominalMs = 1_000 * 2 ** index;
      expect(waitMs).toBeCloseTo(nominalMs * sessionRandom('session-1', index + 1), -1);
    }
  });

  it('has the nominal waits where nothing is spread', async () => {
    expect(await waitsOf('session-1', { jitter: 'none', maxAttempts: 5 })).toEqual([
      1_000, 2_000, 4_000, 8_000,
    ]);
  });
});

describe('unref', () => {
  it('says whether a wait holds the process', async () => {
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    for (const signal of [undefined, new AbortController().signal]) {
      const clock = virtualClock();
      const held = retry(operation, {}, { clock, signal }).catch(() => {});
      await clock.advance(1);
      expect(clock.holdingTimers).toBe(1);
      const free = retry(operation, {}, { clock, signal, unref: true }).catch(() => {});
      await clock.advance(1);
      expect([clock.pendingTimers, clock.holdingTimers]).toEqual([2, 1]);
      await clock.runAll();
      await Promise.all([held, free]);
    }
  });
});
