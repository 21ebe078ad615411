import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RetryRecord } from '@redrive/core';
import { RetryCategory, RetryManager } from '@redrive/core/manager';
import { toAuditV1 } from '@redrive/core/records';
import { auditSink } from '@redrive/durable/audit';
import { natsBus, natsLedger } from '@redrive/nats';
import { openStore } from '@redrive/sqlite';
import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

// Every category leaves its audit events in the log, with the names and the order of fields of `audit/v1`.
const root = dirname(import.meta.dirname);
const launcher = join(root, 'packages/cli/bin/redrive.cjs');

let server: NatsService;
let directory: string;
beforeAll(async () => {
  server = await startNats();
}, 180_000);
afterAll(() => server?.stop());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-categories-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

function run(...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...args], {
    cwd: directory,
    env: { ...process.env, NATS_URL: server.url },
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

/** The audit events of the log, by the names of the format, rendered from what the log has. */
function auditEvents(): readonly object[] {
  const names = ['retry_attempt', 'retry_exhausted', 'idempotency'];
  const filters = names.flatMap((name) => ['--event', name]);
  const store = ['--store', `sqlite:${join(directory, 'audit.db')}`];
  const lines = run(launcher, 'audit', 'export', '--output', '-', ...filters, ...store);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { detail }: { detail: RetryRecord } = JSON.parse(line);
      const { redrive: _ = undefined, ...event } = Object(toAuditV1(detail));
      return event;
    });
}

const ids = { tenant_id: 'tenant-123', correlation_id: 'corr-456', trace_id: 'trace-789' };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);

/** In the order of the format, so that a field too many or at another place is found. */
function inOrder(event: object): string {
  return Object.keys(event).join(' ');
}
const ATTEMPT =
  'event_type retry_category operation attempt_number max_attempts delay_seconds exception_type exception_message tenant_id correlation_id trace_id timestamp';
const EXHAUSTED =
  'event_type retry_category operation total_attempts final_exception_type final_exception_message tenant_id correlation_id trace_id timestamp';
const IDEMPOTENCY =
  'event_type retry_category operation idempotency_key action tenant_id correlation_id trace_id timestamp';

test('the example: one call of each category, the kill switch in KV, and their audit events in the log', () => {
  const printed = run(join(root, 'examples/categories/incident.ts'));
  expect(printed.split('\n').sort()).toEqual(
    [
      '',
      'API_REQUEST, Request intents: 3 intents',
      'API_VALIDATION, Validate input: valid',
      'APPROVAL_CHECK, Check approval: approved',
      'APPROVAL_GRANT, Grant approval: granted',
      'EXECUTION_CONTAINMENT, Isolate host: isolated',
      'EXECUTION_EXPIRATION, Expire intents: gave up (max_attempts_exceeded)',
      'EXECUTION_INTENT, Execute intent: executed',
      'EXECUTION_INTENT, Execute intent: gave up (kill_switch)',
      'KV_GET, Get kill switch status: engaged',
      'KV_GET, Get kill switch status: released',
      'KV_PUT, Store kill switch state: engaged',
      'KV_PUT, Store kill switch state: engaged',
      'REPLAY_PROCESSING, Replay audit stream: gave up (max_attempts_exceeded)',
      'REPLAY_VALIDATION, Validate replay: valid',
    ].sort(),
  );

  const events = auditEvents();
  // Category, operation, max_attempts and the first wait of the matrix, ±10 %.
  const attempts = [
    ['RETRY_KV_GET', 'Get kill switch status', 3, 0.5],
    ['RETRY_KV_PUT', 'Store kill switch state', 3, 0.5],
    ['RETRY_APPROVAL_CHECK', 'Check approval', 3, 1],
    ['RETRY_APPROVAL_GRANT', 'Grant approval', 2, 2],
    ['RETRY_EXECUTION_INTENT', 'Execute intent', 2, 2],
    ['RETRY_EXECUTION_CONTAINMENT', 'Isolate host', 2, 2],
    ['RETRY_REPLAY_VALIDATION', 'Validate replay', 2, 1],
    ['RETRY_API_REQUEST', 'Request intents', 3, 1],
    ['RETRY_API_VALIDATION', 'Validate input', 2, 0.5],
  ] as const;
  for (const [retry_category, operation, max_attempts, delay] of attempts) {
    const event = events.find((each) => Object(each).retry_category === retry_category);
    expect(event).toEqual({
      ...{ event_type: 'retry_attempt', retry_category, operation, attempt_number: 1 },
      ...{ max_attempts, delay_seconds: expect.closeTo(delay, 0.1 * delay) },
      ...{ exception_type: 'TimeoutError', exception_message: 'Connection timeout' },
      ...{ ...ids, timestamp },
    });
    // In whole milliseconds: 1.1 - 1 is a little more than 0.1.
    const spreadMs = Math.round(Math.abs(Object(event).delay_seconds - delay) * 1_000);
    expect(spreadMs).toBeLessThanOrEqual(delay * 100);
    expect(inOrder(event ?? {})).toBe(ATTEMPT);
  }
  const exhausted = events.filter((each) => Object(each).event_type === 'retry_exhausted');
  expect(exhausted.map((each) => Object(each).retry_category).sort()).toEqual([
    'RETRY_EXECUTION_EXPIRATION',
    'RETRY_EXECUTION_INTENT',
    'RETRY_REPLAY_PROCESSING',
  ]);
  for (const each of exhausted) {
    expect(each).toMatchObject({
      ...{ total_attempts: 1, final_exception_type: 'TimeoutError', ...ids, timestamp },
      final_exception_message: 'Connection timeout',
    });
    expect(inOrder(each)).toBe(EXHAUSTED);
  }
  const used = events.filter((each) => Object(each).event_type === 'idempotency');
  expect(used.map((each) => Object(each).action)).toEqual(['record', 'hit']);
  for (const each of used) {
    expect(each).toMatchObject({
      ...{
        retry_category: 'RETRY_KV_PUT',
        operation: 'Store kill switch state',
        ...ids,
        timestamp,
      },
      idempotency_key: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect(inOrder(each)).toBe(IDEMPOTENCY);
  }
});

/** The first attempt of each call fails, before it reaches the server. */
class FailingFirst extends RetryManager {
  override executeWithRetry<T>(
    ...[category, operation, call, options]: Parameters<
      typeof RetryManager.prototype.executeWithRetry<T>
    >
  ): Promise<T> {
    const failing: typeof call = (context) => {
      if (context.attempt > 1) return call(context);
      throw Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' });
    };
    return super.executeWithRetry(category, operation, failing, options);
  }
}

test('the adapters: connect, publish, subscribe, declare and KV calls leave the events of their categories', async () => {
  const store = await openStore(join(directory, 'audit.db'));
  await store.migrate();
  const events = auditSink(store);
  const quick = { baseDelayMs: 5 };
  const codes = Object.values(RetryCategory).filter((code) => /_(?:NATS|KV)_/.test(code));
  const policies = Object.fromEntries(codes.map((code) => [code, quick]));
  const manager = new FailingFirst({ events, policies });
  const bus = natsBus(server.url, { manager });
  const source = { name: 'orders', stream: 'orders', subject: 'orders' };
  await bus.declare(source);
  await bus.publish([{ destination: 'orders', body: Buffer.from('{}'), id: 'o-1' }]);
  const consumption = await bus.consume(source, { prefetch: 1 }, async () => {});
  await consumption.stop();
  await bus.close();
  const ledger = natsLedger(server.url, { bucket: 'categories', manager });
  await ledger.once({ key: 'k' }, () => 'done');
  await ledger.clear('k');
  await ledger.close();
  await events.close();
  await store.close();

  const found = auditEvents().filter((each) => Object(each).event_type === 'retry_attempt');
  expect([...new Set(found.map((each) => Object(each).retry_category))].sort()).toEqual([
    'RETRY_KV_CREATE',
    'RETRY_KV_DELETE',
    'RETRY_KV_GET',
    'RETRY_KV_PUT',
    'RETRY_NATS_CONNECT',
    'RETRY_NATS_PUBLISH',
    'RETRY_NATS_STREAM_CREATE',
    'RETRY_NATS_SUBSCRIBE',
  ]);
  for (const each of found) {
    expect(each).toMatchObject({ attempt_number: 1, exception_message: 'Connection timeout' });
    expect(inOrder(each)).toBe(ATTEMPT);
  }
});
