import { circuitBreaker, type Policy } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { deadLetterOf } from '../dead-letter/envelope.ts';
import { DocumentNotFoundError } from '../handler/handler-errors.ts';
import { logRecords } from '../log/log-records.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { type HandleEventOptions, handleEventWithRetry } from './handle-event.ts';

const EVENT = { data: { message_ids: ['abc', 'def', 'ghi'] } };
const KEY = 'chunking-abc-def-ghi';

const LATE: Policy = {
  id: 'late',
  maxAttempts: 50,
  baseDelayMs: 10_000,
  backoff: 'fixed',
  jitter: 'none',
  ttlMs: 100_000,
};
const policies = (id: string) => (id === LATE.id ? LATE : undefined);

/** An event whose document is found at this attempt, counted over consumer and worker together. */
function bench(foundAt: number, error = () => new DocumentNotFoundError('No messages found')) {
  const lines: string[] = [];
  const line = (level: string) => (_: object, text: string) => void lines.push(`${level}: ${text}`);
  const log = { info: line('INFO'), warn: line('WARNING'), error: line('ERROR') };
  const seen: { readonly by: 'consumer' | 'worker'; readonly attempt: number }[] = [];
  const run =
    (by: 'consumer' | 'worker') =>
    async (_: unknown, { attempt }: { attempt: number }) => {
      seen.push({ by, attempt });
      if (seen.length < foundAt) throw error();
    };
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const made = workBench(
    { chunk: run('worker') },
    { store, events: logRecords(log), policies },
    clock,
  );
  const handle = async (more: Partial<HandleEventOptions> = {}) => {
    const handled = handleEventWithRetry(EVENT, run('consumer'), {
      jobs: made.jobs,
      handler: 'chunk',
      source: 'chunking',
      bus: 'main',
      idempotencyKey: KEY,
      clock,
      log,
      ...more,
    });
    const outcome = handled.catch((failed: unknown) => failed);
    await clock.advance(10_000);
    return outcome;
  };
  return { ...made, store, lines, seen, handle };
}

describe('handleEventWithRetry', () => {
  it('answers handled, and stores nothing', async () => {
    const { handle, store, seen } = bench(2);
    expect(await handle()).toBe('handled');
    expect(seen.map(({ by }) => by)).toEqual(['consumer', 'consumer']);
    expect(await store.job(KEY)).toBeUndefined();
  });

  it('logs a hashed key as it is, so that its event can be found', async () => {
    const { handle, lines } = bench(2);
    const key = `chunking-${'3f9a61c20be84d75'.repeat(4)}`;
    expect(await handle({ idempotencyKey: key })).toBe('handled');
    expect(lines).toContain(`INFO: Retry attempt 2/8 for event with idempotency key: ${key}`);
  });

  it('makes 8 attempts in all, not 8 here and 8 there, then one dead letter with the seed payload', async () => {
    const { handle, look, seen, jobs, clock, lines } = bench(99);
    expect(await handle()).toBe('handed_over');
    const here = seen.length;
    expect(here).toBeLessThan(8);
    const waits = await look(KEY);
    expect(waits).toMatchObject({
      state: 'scheduled',
      queue: 'chunking',
      origin: { rung: 'event', bus: 'main', source: 'chunking' },
      deadlineMs: START_MS + 1_800_000,
    });
    expect(waits.account.entries.failed).toBe(here);
    await jobs.start();
    await clock.advance(120_000);
    expect(seen).toHaveLength(8);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const { redrive, ...payload } = deadLetterOf(await look(KEY), { payload: 'full' });
    expect(payload).toEqual({
      original_event: EVENT,
      idempotency_key: KEY,
      attempt_count: 8,
      last_error: 'DocumentNotFoundError: No messages found',
      error_type: 'DocumentNotFoundError',
      abandoned_reason: 'max_attempts_exceeded',
      service_name: 'chunking',
      timestamp: expect.any(String),
    });
    expect(redrive.attempts.map(({ rung, attempt_number }) => `${rung} ${attempt_number}`)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `event ${number}`),
    );
    for (const n of [2, 3, 4, 5, 6, 7, 8])
      expect(lines).toContain(`INFO: Retry attempt ${n}/8 for event with idempotency key: ${KEY}`);
    expect(lines.filter((line) => !line.startsWith('INFO'))).toEqual([
      `WARNING: Last attempt 8/8 for event with idempotency key: ${KEY}`,
      'ERROR: Event sent to DLQ after 8 attempts (reason: max_attempts_exceeded): No messages found',
    ]);
  });

  it('the latency of an event that was handed over counts from its first attempt', async () => {
    const { handle, jobs, clock, lines, seen } = bench(7);
    expect(await handle()).toBe('handed_over');
    await jobs.start();
    await clock.advance(120_000);
    expect(seen).toHaveLength(7);
    const latency =
      /^INFO: Event processed successfully after 7 retry attempts \(total latency: (.*)s\)$/;
    const [, seconds] = latency.exec(lines.at(-1) ?? '') ?? [];
    // It was handed over, and the test waited for ten seconds before the worker started.
    expect(Number(seconds)).toBeGreaterThanOrEqual(10);
  });

  it('an AbortError that its signal did not cause is tried again, as for stored events', async () => {
    const abort = () => new DOMException('the own time limit of a driver', 'AbortError');
    const { handle, look, seen, jobs, clock } = bench(99, abort);
    expect(await handle()).toBe('handed_over');
    await jobs.start();
    await clock.advance(120_000);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const { attempts } = deadLetterOf(await look(KEY)).redrive;
    expect(new Set(attempts.map(({ error }) => error?.type))).toEqual(new Set(['AbortError']));
  });

  it('an error that nothing classifies is final: a dead letter at once', async () => {
    const { handle, look, seen, lines } = bench(99, () => new Error('no such field'));
    expect(await handle()).toBe('dead_lettered');
    expect(seen).toHaveLength(1);
    expect(deadLetterOf(await look(KEY))).toMatchObject({
      attempt_count: 1,
      last_error: 'Error: no such field',
      abandoned_reason: 'non_retryable',
      service_name: 'chunking',
    });
    expect(lines.at(-1)).toBe(
      'ERROR: Event sent to DLQ after 1 attempt (reason: non_retryable): no such field',
    );
  });

  it('gives up here: the dead letter has all attempts', async () => {
    const { handle, look } = bench(99);
    const policy = { maxAttempts: 3, baseDelayMs: 100, jitter: 'none', id: 'quick' } as const;
    expect(await handle({ policy })).toBe('dead_lettered');
    const letter = deadLetterOf(await look(KEY));
    expect(letter).toMatchObject({ attempt_count: 3, abandoned_reason: 'max_attempts_exceeded' });
    expect(letter.redrive.attempts.map(({ delay, next_delay }) => [delay, next_delay])).toEqual([
      [0, 0.1],
      [0.1, 0.2],
      [0.2, 0],
    ]);
  });

  it('a wait longer than a second is handed over', async () => {
    const { handle, look, seen } = bench(99);
    const policy = { maxAttempts: 3, baseDelayMs: 1_001, jitter: 'none', id: 'slow' } as const;
    expect(await handle({ policy })).toBe('handed_over');
    expect(seen).toHaveLength(1);
    expect((await look(KEY)).dueAtMs).toBe(START_MS + 1_001);
  });

  it('an event that an open breaker or an engaged kill switch blocks is stored, and never dies of it', async () => {
    const { handle, look, seen, clock } = bench(99);
    const breaker = circuitBreaker({ key: 'db', threshold: 1, timeoutMs: 60_000, clock });
    breaker.record(breaker.admit(), { errorClass: 'retryable', effect: 'none' });
    expect(await handle({ breaker })).toBe('handed_over');
    expect(seen).toHaveLength(0);
    expect(await look(KEY)).toMatchObject({ state: 'scheduled', account: { claims: 0 } });

    const killSwitch = { isEngaged: () => true };
    expect(await handle({ killSwitch, idempotencyKey: 'chunking-x' })).toBe('handed_over');
    expect(seen).toHaveLength(1);
    expect((await look('chunking-x')).account.entries.failed).toBe(1);
  });

  it('a message past its deadline is not run: ttl_exceeded', async () => {
    const { handle, look, seen, lines } = bench(1);
    const headers = { 'redrive-deadline': new Date(START_MS - 1).toISOString() };
    expect(await handle({ headers })).toBe('dead_lettered');
    expect(seen).toHaveLength(0);
    expect(deadLetterOf(await look(KEY))).toMatchObject({
      attempt_count: 0,
      abandoned_reason: 'ttl_exceeded',
    });
    expect(lines).toEqual([
      'ERROR: Event sent to DLQ after 0 attempts (reason: ttl_exceeded): The time of the session is up',
    ]);
  });

  it('retries and deadline in the headers lower attempts and time', async () => {
    const { handle, look, seen } = bench(99);
    const headers = { 'redrive-session': 'order-7', 'redrive-retries': '7' };
    expect(await handle({ headers })).toBe('dead_lettered');
    expect(seen).toHaveLength(1);
    const { attempt_count, abandoned_reason, redrive } = deadLetterOf(await look(KEY));
    expect([attempt_count, abandoned_reason]).toEqual([8, 'max_attempts_exceeded']);
    expect(redrive.correlation_id).toBe('order-7');
  });

  it('rejects when the event cannot be stored: it must not be acknowledged', async () => {
    const { handle, store } = bench(99, () => new Error('bad'));
    store.fault = { calls: ['apply'], when: 'before' };
    expect(await handle()).toMatchObject({ code: 'store_unavailable' });
  });

  it.each([
    ['a key above 512 characters', { idempotencyKey: 'k'.repeat(513) }, 'invalid_job'],
    ['a handler that jobs does not have', { handler: 'nobody' }, 'unknown_handler'],
  ])('does not run an event that could never be stored: %s', async (_, more, code) => {
    const { handle, seen } = bench(99);
    expect(await handle(more)).toMatchObject({ code });
    expect(seen).toHaveLength(0);
  });

  it('does not run an event that could never be stored: too large', async () => {
    const { jobs, clock, seen } = bench(99);
    const about = { jobs, clock, handler: 'chunk', source: 'chunking', idempotencyKey: KEY };
    const run = async () => void seen.push({ by: 'consumer', attempt: 1 });
    const handled = handleEventWithRetry('x'.repeat(1_048_577), run, about);
    await expect(handled).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(seen).toHaveLength(0);
  });

  it('the same key with another body is a dead letter, also when it is delivered again', async () => {
    const { jobs, clock, store, handle, look } = bench(99, () => new Error('bad'));
    expect(await handle()).toBe('dead_lettered');
    const about = { jobs, clock, handler: 'chunk', source: 'chunking', idempotencyKey: KEY };
    const fail = async () => {
      throw new Error('bad');
    };
    const again = () =>
      handleEventWithRetry({ other: 1 }, fail, about).catch((error: unknown) => error);
    expect([await again(), await again()]).toEqual(['dead_lettered', 'dead_lettered']);
    const { jobs: letters } = await store.deadLetters({}, { limit: 5 });
    const [letter, ...more] = letters.filter(({ id }) => id !== KEY);
    expect(more).toEqual([]);
    expect(letter?.id).toMatch(/^chunking-abc-def-ghi-[0-9a-f]{16}$/);
    expect(await look(letter?.id ?? '')).toMatchObject({
      reason: 'idempotency_conflict',
      payload: { text: '{"other":1}' },
    });
    expect((await look(KEY)).reason).toBe('final_error');
  });

  it('a policy without a TTL gives no warning of its time', async () => {
    const { handle, lines } = bench(2);
    const policy = { ...LATE, id: 'endless', baseDelayMs: 100, ttlMs: Infinity };
    expect(await handle({ policy })).toBe('handled');
    expect(lines.filter((line) => line.startsWith('WARNING'))).toEqual([]);
  });

  it('warns at 80 % of the TTL, once', async () => {
    const { handle, jobs, clock, lines } = bench(99);
    expect(await handle({ policy: LATE })).toBe('handed_over');
    await jobs.start();
    await clock.advance(200_000);
    expect(lines.filter((line) => line.startsWith('WARNING'))).toEqual([
      `WARNING: 80 % of 1 min 40 s are over for event with idempotency key: ${KEY}`,
    ]);
    expect(lines.at(-1)).toContain('(reason: ttl_exceeded)');
  });
});
