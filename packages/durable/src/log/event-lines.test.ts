import type { Policy } from '@redrive/core';
import { openAccount } from '@redrive/core/stored';
import { expect, it } from 'vitest';
import { DocumentNotFoundError } from '../handler/handler-errors.ts';
import { workBench } from '../testing/work-bench.ts';
import { logRecords } from './log-records.ts';

/** The lines that an event leaves which is found at this attempt. Default of `policy`: that of events. */
async function linesOf(foundAt: number, policy?: Policy): Promise<string[]> {
  const lines: string[] = [];
  const line = (level: string) => (_: object, text: string) => void lines.push(`${level}: ${text}`);
  const log = { info: line('INFO'), warn: line('WARNING'), error: line('ERROR') };
  let attempts = 0;
  const run = async () => {
    attempts += 1;
    if (attempts < foundAt) throw new DocumentNotFoundError('No messages found');
  };
  const chunk = policy === undefined ? run : { run, policy };
  const { jobs, store, clock } = workBench({ chunk }, { events: logRecords(log) });
  const id = 'chunking-123-456-789';
  await store.apply([
    {
      kind: 'enqueue',
      job: {
        id,
        handler: 'chunk',
        queue: 'chunking',
        tenant: '',
        priority: 0,
        tags: [],
        headers: {},
        payload: { kind: 'json', text: '{}' },
        sessionId: id,
        idempotencyKey: id,
        origin: { rung: 'event', bus: 'main', source: 'chunking' },
      },
      onConflict: 'existing',
      account: openAccount(),
      actor: { name: 'test' },
    },
  ]);
  await jobs.start();
  await clock.advance(60_000);
  return lines;
}

it('an event that succeeds after retries has the log lines of events', async () => {
  const lines = await linesOf(3);
  expect(lines).toContain(
    'INFO: Retry attempt 3/8 for event with idempotency key: chunking-123-456-789',
  );
  expect(lines.at(-1)).toMatch(
    /^INFO: Event processed successfully after 3 retry attempts \(total latency: 0\.\d\ds\)$/,
  );
  expect(lines.filter((line) => !line.startsWith('INFO: '))).toEqual([]);
});

it('an event that uses up its attempts: a warning before the last one, then an error', async () => {
  const lines = await linesOf(9);
  expect(lines.filter((line) => !line.startsWith('INFO: '))).toEqual([
    'WARNING: Last attempt 8/8 for event with idempotency key: chunking-123-456-789',
    'ERROR: Event sent to DLQ after 8 attempts (reason: max_attempts_exceeded): No messages found',
  ]);
});

it('an event that waits for a breaker has no warning about its time or its last attempt: probes are not charged', async () => {
  const lines = await linesOf(Infinity, {
    ttlMs: 1_800_000,
    maxAttempts: 8,
    dependency: 'model',
    enableCircuitBreaker: true,
    circuitBreakerThreshold: 1,
    circuitBreakerTimeoutMs: 2_000,
  });
  expect(lines.join('\n')).toContain('Probe of model failed and is not charged');
  expect(lines.filter((line) => !line.startsWith('INFO: '))).toEqual([
    'WARNING: Circuit breaker of model: closed to open, next probe in 2 s',
  ]);
});
