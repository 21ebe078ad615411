import { describe, expect, it } from 'vitest';
import { retryAfter } from '../handler/verdict.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { workBench } from '../testing/work-bench.ts';
import { logRecords } from './log-records.ts';

/** The lines of a worker's log, with the level of each. */
function logBench(
  handler: Parameters<typeof workBench>[0][string],
): ReturnType<typeof workBench> & { readonly lines: string[] } {
  const lines: string[] = [];
  const at = (level: string) => (_: unknown, text: string) => void lines.push(`${level} ${text}`);
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  return { ...workBench({ charge: handler }, { log, pollMs: 1_000, sweepMs: 1_000 }), lines };
}

const policy = {
  maxAttempts: 3,
  backoff: 'fixed',
  baseDelayMs: 24,
  jitter: 'none',
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 1,
  circuitBreakerTimeoutMs: 5_000,
} as const;

/** Waits are random within a tenth, and a worker looks once a second. */
const rough = (lines: readonly string[]) =>
  lines.map((line) => line.replaceAll(/\b[56](\.\d+)? s\b/g, '5 s'));

describe('the log of a job that is blocked', () => {
  it('has every step: the failed attempt, the parking with its cause, the breaker, the probe', async () => {
    const bank = { isDown: true };
    const run = () => {
      if (bank.isDown) throw new Error('bank refuses connections');
    };
    const { jobs, clock, lines } = logBench({ run, policy, dependency: 'bank' });
    await jobs.start();
    await jobs.enqueue('charge', null);
    await clock.advance(8_000);
    bank.isDown = false;
    await clock.advance(6_000);
    expect(rough(lines.slice(1))).toEqual([
      'info Initial attempt started',
      'warn Circuit breaker of bank: closed to open, next probe in 5 s',
      'info Retry scheduled: attempt 2 in 24 ms (retryable_error): bank refuses connections',
      'info Attempt 2 did not start (breaker_open): the breaker of bank is open. Parked until it closes, or until this job is its probe',
      'info Circuit breaker of bank: open to half_open, a probe starts',
      'info Probe of bank started: attempt 3, after it was parked for 5 s',
      'info Circuit breaker of bank: half_open to open, next probe in 5 s',
      'info Probe of bank failed and is not charged (breaker_open): bank refuses connections. The breaker stays open. Parked until it closes, or until this job is its probe',
      'info Circuit breaker of bank: open to half_open, a probe starts',
      'info Probe of bank started: attempt 4, after it was parked for 5 s',
      'info Circuit breaker of bank: half_open to closed, its jobs are released',
      'info Retry succeeded: attempt 4',
    ]);
  });

  it('a breaker that was open before the worker started, and whose time is over, is due for a probe', () => {
    const lines: string[] = [];
    const add = (_: unknown, text: string) => void lines.push(text);
    const change = { kind: 'breaker_changed', atMs: 0, key: 'bank', from: 'closed' } as const;
    logRecords({ info: add, warn: add, error: add }).emit({
      ...change,
      ...{ to: 'open', failureCount: 3, nextProbeInMs: 0 },
    });
    expect(lines).toEqual(['Circuit breaker of bank: closed to open, a probe is due']);
  });

  it('names the gate that it waits for, and the gate says when it opens', async () => {
    const isFirst = { is: true };
    const run = () => {
      if (!isFirst.is) return undefined;
      isFirst.is = false;
      return retryAfter(5_000, '429 Too Many Requests');
    };
    const { jobs, clock, lines } = logBench({ run, dependency: 'search' });
    await jobs.start();
    await jobs.enqueue('charge', null);
    await clock.advance(10);
    await jobs.enqueue('charge', null);
    await clock.advance(20_000);
    expect(rough(lines)).toEqual(
      expect.arrayContaining([
        'warn Gate closed: search, opens in 5 s',
        'info Attempt 1 did not start (gate_closed): the gate of search is closed. Parked until it opens',
        'info Retry started: attempt 2, after it was parked for 4.99 s',
      ]),
    );
  });

  it('has no line for a gate that had opened when the worker started', async () => {
    const { jobs, clock, lines, store } = logBench({
      run: () => retryAfter(5_000),
      dependency: 'search',
    });
    await jobs.start();
    await jobs.enqueue('charge', null);
    await clock.advance(10);
    await jobs.stop();
    await clock.advance(60_000);
    expect(lines.filter((line) => line.includes('Gate closed'))).toHaveLength(1);
    const later: string[] = [];
    const log = { info: () => {}, error: () => {} };
    const warn = (_: unknown, text: string) => void later.push(text);
    const next = jobsOn(store, { other: () => 1 }, { clock, log: { ...log, warn } });
    await next.start();
    await clock.advance(1_000);
    await next.stop();
    expect(later).toEqual([]);
  });
});
