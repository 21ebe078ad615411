import {
  circuitBreaker,
  isRetryError,
  memoryLedger,
  type RetryRecord,
  syncSink,
} from '@redrive/core';
import { RetryCategory, RetryManager } from '@redrive/core/manager';
import { toAuditV1 } from '@redrive/core/records';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { ExecuteOptions, RetryManagerOptions } from './retry-manager.ts';

const START = Date.parse('2026-01-25T21:15:00Z');

function setUp(options: RetryManagerOptions = {}) {
  const clock = virtualClock({ startMs: START });
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  const manager = new RetryManager({ clock, events, ...options });
  const audited = () => records.map(toAuditV1).filter((event) => event !== undefined);
  return { clock, manager, records, audited };
}

const timeout = () =>
  Promise.reject(Object.assign(new Error('Connection timeout'), { name: 'TimeoutError' }));
const ids: ExecuteOptions = {
  tenantId: 'tenant-123',
  correlationId: 'corr-456',
  traceId: 'trace-789',
};

describe('executeWithRetry', () => {
  it('runs an operation under the policy of its category', async () => {
    const { clock, manager } = setUp();
    const starts: number[] = [];
    const call = manager.executeWithRetry(
      RetryCategory.KV_GET,
      'Get kill switch status',
      (context) => {
        starts.push(clock.monotonic());
        expect(context.maxAttempts).toBe(3);
        return context.attempt < 3 ? timeout() : 'off';
      },
    );
    await clock.runAll();
    expect(await call).toBe('off');
    // 0.5 s and 1 s, each ±10 %.
    const [first = 0, second = 0, third = 0] = starts;
    expect(second - first).toBeGreaterThanOrEqual(450);
    expect(second - first).toBeLessThanOrEqual(550);
    expect(third - second).toBeGreaterThanOrEqual(900);
    expect(third - second).toBeLessThanOrEqual(1_101);
  });

  it('gives up with the category and the operation', async () => {
    const { clock, manager } = setUp();
    const operation = vi.fn(timeout);
    const call = manager
      .executeWithRetry('RETRY_NATS_STREAM_CREATE', 'Create stream', operation)
      .catch((error: unknown) => error);
    await clock.runAll();
    const error = await call;
    if (!isRetryError(error, 'max_attempts_exceeded')) expect.fail(String(error));
    expect(error).toMatchObject({
      category: 'RETRY_NATS_STREAM_CREATE',
      operation: 'Create stream',
      totalAttempts: 2,
    });
    expect(operation).toHaveBeenCalledTimes(2);
  });

  it('lets a final error out unchanged', async () => {
    const { manager } = setUp();
    const final = new TypeError('no');
    const call = manager.executeWithRetry('KV_PUT', 'Put', () => Promise.reject(final));
    await expect(call).rejects.toBe(final);
  });

  it('refuses an unknown category without running anything', async () => {
    const { manager } = setUp();
    const operation = vi.fn();
    const call = manager.executeWithRetry('RETRY_MOON', 'Fly', operation);
    await expect(call).rejects.toMatchObject({ code: 'unknown_category' });
    expect(operation).not.toHaveBeenCalled();
  });

  it('takes a policy instead, under the same category', async () => {
    const { manager } = setUp();
    const policy = { maxAttempts: 6, backoff: 'immediate' } as const;
    const operation = vi.fn(timeout);
    const call = manager.executeWithRetry('RETRY_KV_GET', 'Get', operation, { policy });
    await expect(call).rejects.toMatchObject({ category: 'RETRY_KV_GET', totalAttempts: 6 });
  });

  it('ends by the caller’s signal and asks the given breaker', async () => {
    const { manager } = setUp();
    const controller = new AbortController();
    const { signal } = controller;
    const call = manager.executeWithRetry('KV_GET', 'Get', () => new Promise(() => {}), { signal });
    await settle();
    controller.abort('user left');
    await expect(call).rejects.toBe('user left');
    const breaker = circuitBreaker();
    breaker.isolate();
    const refused = manager.executeWithRetry('KV_GET', 'Get', () => 'off', { breaker });
    await expect(refused).rejects.toMatchObject({ reason: 'breaker_open' });
  });

  it('works with the machine’s clock, no sink and its own ledger', async () => {
    const manager = new RetryManager();
    const operation = vi.fn(() => 'off');
    const run = () => manager.executeWithRetry('KV_GET', 'Get', operation, { idempotencyKey: 'k' });
    expect([await run(), await run()]).toEqual(['off', 'off']);
    expect(operation).toHaveBeenCalledTimes(1);
  });
});

describe('policies of its own', () => {
  it('replace those of their category, field by field', () => {
    const { manager } = setUp({ policies: { RETRY_KV_GET: { maxAttempts: 7 } } });
    expect(manager.getPolicy('KV_GET')).toMatchObject({
      id: 'RETRY_KV_GET',
      name: 'KV_GET',
      maxAttempts: 7,
      baseDelayMs: 500,
    });
    expect(manager.getPolicy('KV_PUT').maxAttempts).toBe(3);
  });

  it('are checked when the manager is made', () => {
    expect(() => setUp({ policies: { RETRY_KV_GET: { maxAttempts: 0 } } })).toThrow('maxAttempts');
  });
});

describe('idempotency', () => {
  it('runs once per key, and tells of the record and the hit', async () => {
    const { manager, audited } = setUp();
    const key = manager.idempotencyManager.computeIdempotencyKey(
      'Store kill switch state',
      'tenant-123',
      'corr-456',
    );
    const operation = vi.fn(() => 'stored');
    const run = () =>
      manager.executeWithRetry('RETRY_KV_PUT', 'Store kill switch state', operation, {
        ...ids,
        idempotencyKey: key,
      });
    expect([await run(), await run()]).toEqual(['stored', 'stored']);
    expect(operation).toHaveBeenCalledTimes(1);
    const expected = {
      event_type: 'idempotency',
      retry_category: 'RETRY_KV_PUT',
      operation: 'Store kill switch state',
      idempotency_key: key,
      tenant_id: 'tenant-123',
      correlation_id: 'corr-456',
      trace_id: 'trace-789',
      timestamp: '2026-01-25T21:15:00Z',
    };
    expect(audited()).toMatchObject([
      { ...expected, action: 'record' },
      { ...expected, action: 'hit' },
    ]);
  });

  it('is shared by the manager’s two-step way', async () => {
    const { manager } = setUp({ ledger: memoryLedger() });
    await manager.executeWithRetry('KV_PUT', 'Put', () => 'stored', { idempotencyKey: 'k' });
    expect(await manager.idempotencyManager.checkIdempotency('k')).toEqual({
      hit: true,
      value: 'stored',
    });
  });

  it('runs again after a failure', async () => {
    const { manager } = setUp();
    const options = { idempotencyKey: 'k', policy: { maxAttempts: 1 } };
    await manager.executeWithRetry('KV_PUT', 'Put', timeout, options).catch(() => {});
    expect(await manager.executeWithRetry('KV_PUT', 'Put', () => 'stored', options)).toBe('stored');
  });
});

describe('the audit of a call', () => {
  it('has the fields of `audit/v1`, in their order, and ours in one object at the end', async () => {
    const { clock, manager, audited } = setUp();
    const call = manager
      .executeWithRetry('RETRY_NATS_PUBLISH', 'Publish to exoarmur.audit.append.v1', timeout, {
        ...ids,
        additionalContext: { subject: 'audit' },
      })
      .catch(() => {});
    await Promise.all([call, clock.runAll()]);
    const events = audited();
    expect(events.map((event) => event.event_type)).toEqual([
      'retry_attempt',
      'retry_attempt',
      'retry_exhausted',
    ]);
    expect(Object.keys(events[1] ?? {})).toEqual([
      'event_type',
      'retry_category',
      'operation',
      'attempt_number',
      'max_attempts',
      'delay_seconds',
      'exception_type',
      'exception_message',
      'tenant_id',
      'correlation_id',
      'trace_id',
      'timestamp',
      'redrive',
    ]);
    expect(events[1]).toMatchObject({
      retry_category: 'RETRY_NATS_PUBLISH',
      operation: 'Publish to exoarmur.audit.append.v1',
      attempt_number: 2,
      max_attempts: 3,
      exception_type: 'TimeoutError',
      exception_message: 'Connection timeout',
      tenant_id: 'tenant-123',
      correlation_id: 'corr-456',
      trace_id: 'trace-789',
    });
    expect(Object.keys(events[2] ?? {})).toEqual([
      'event_type',
      'retry_category',
      'operation',
      'total_attempts',
      'final_exception_type',
      'final_exception_message',
      'tenant_id',
      'correlation_id',
      'trace_id',
      'timestamp',
      'redrive',
    ]);
    expect(events[2]).toMatchObject({ total_attempts: 3, final_exception_type: 'TimeoutError' });
  });

  it('carries the additional context in its records', async () => {
    const { manager, records } = setUp();
    await manager.executeWithRetry('KV_GET', 'Get', () => 'off', { additionalContext: { a: 1 } });
    expect(records[0]?.session).toMatchObject({ context: { a: 1 }, category: 'RETRY_KV_GET' });
  });
});
