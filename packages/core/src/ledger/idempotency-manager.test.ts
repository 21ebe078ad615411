import { computeIdempotencyKey, IdempotencyManager } from '@redrive/core/idempotency';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import type { RetryRecord, SessionFacts } from '../records/record.ts';
import { syncSink } from '../records/sync-sink.ts';
import { memoryLedger } from './memory-ledger.ts';
import { runOnce } from './once.ts';

const SESSION: SessionFacts = {
  sessionId: 's-1',
  policyId: 'p',
  policyHash: 'h',
  operation: 'Store kill switch state',
  maxAttempts: 3,
  context: { shard: 1 },
};

function setUp() {
  const clock = virtualClock({ startMs: 1_000 });
  const ledger = memoryLedger({ clock });
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  return { ledger, records, manager: new IdempotencyManager({ ledger, events, clock }) };
}

describe('IdempotencyManager', () => {
  it('computes the key of an operation', () => {
    const { manager } = setUp();
    const parts = ['kill_switch_update', 'tenant-123', 'corr-456', { state: 'on' }] as const;
    expect(manager.computeIdempotencyKey(...parts)).toBe(computeIdempotencyKey(...parts));
  });

  it.each([['value'], [null], [undefined], [0], ['']])('finds a recorded %j', async (value) => {
    const { manager } = setUp();
    expect(await manager.checkIdempotency('k')).toStrictEqual({ hit: false });
    expect(await manager.recordResult('k', value)).toBe(true);
    expect(await manager.checkIdempotency('k')).toStrictEqual({ hit: true, value });
  });

  it('keeps the first result', async () => {
    const { manager } = setUp();
    await manager.recordResult('k', 'first');
    expect(await manager.recordResult('k', 'second')).toBe(false);
    expect(await manager.checkIdempotency('k')).toEqual({ hit: true, value: 'first' });
  });

  it('keeps recordResult’s metadata in the ledger’s entry, without a session, masked', async () => {
    const { ledger, manager, records } = setUp();
    await manager.recordResult('k', 'value', { source: 'import 7', password: 'hunter2' });
    const metadata = { source: 'import 7', password: '[masked]' };
    expect(await ledger.look('k')).toMatchObject({ state: 'done', value: 'value', metadata });
    expect(await manager.checkIdempotency('k')).toEqual({ hit: true, value: 'value', metadata });
    expect(records).toEqual([]);
  });

  it('forgets a cleared key', async () => {
    const { manager } = setUp();
    await manager.recordResult('k', 'value');
    await manager.clearIdempotency('k');
    expect(await manager.checkIdempotency('k')).toEqual({ hit: false });
    expect(await manager.recordResult('k', 'again')).toBe(true);
  });

  it('shares results with runOnce', async () => {
    const { ledger, manager } = setUp();
    await runOnce(ledger, { key: 'one' }, () => 1);
    expect(await manager.checkIdempotency('one')).toEqual({ hit: true, value: 1 });
    await manager.recordResult('two', 2);
    expect(await runOnce(ledger, { key: 'two' }, () => 'again')).toBe(2);
  });

  it('takes a failed key for a miss, and records over it', async () => {
    const { ledger, manager } = setUp();
    await ledger.reserve('k', { fingerprint: '', leaseMs: 1_000 });
    await ledger.fail('k', 1, { type: 'Error', message: '' });
    expect(await manager.checkIdempotency('k')).toEqual({ hit: false });
    expect(await manager.recordResult('k', 'value')).toBe(true);
  });

  it('does not record into a key that somebody holds', async () => {
    const { ledger, manager } = setUp();
    await ledger.reserve('k', { fingerprint: '', leaseMs: 1_000 });
    expect(await manager.checkIdempotency('k')).toEqual({ hit: false });
    await expect(manager.recordResult('k', 'value')).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      details: { key: 'k' },
    });
  });

  it('does not record into a key that was taken away while it recorded', async () => {
    const ledger = memoryLedger();
    const manager = new IdempotencyManager({
      ledger: { ...ledger, complete: async () => false },
    });
    await expect(manager.recordResult('k', 'value')).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
  });

  it('does not record into a key with a fingerprint', async () => {
    const { ledger, manager } = setUp();
    await runOnce(ledger, { key: 'k', fingerprint: 'f' }, () => 1);
    await expect(manager.recordResult('k', 'value')).rejects.toMatchObject({
      code: 'idempotency_conflict',
      message: expect.stringContaining('fingerprint'),
    });
  });
});

describe('IdempotencyManager, records', () => {
  it('tells the sink of hits and stored results of a session', async () => {
    const { records, manager } = setUp();
    await manager.checkIdempotency('k', SESSION);
    await manager.recordResult('k', 'value', { size: 5, token: 'secret' }, SESSION);
    await manager.recordResult('k', 'value', {}, SESSION);
    await manager.recordResult('k2', 'value', undefined, SESSION);
    await manager.checkIdempotency('k', SESSION);
    const common = { kind: 'idempotency', atMs: 1_000, key: 'k' };
    expect(records).toEqual([
      {
        ...common,
        action: 'record',
        session: { ...SESSION, context: { shard: 1, size: 5, token: '[masked]' } },
      },
      { ...common, key: 'k2', action: 'record', session: SESSION },
      { ...common, action: 'hit', session: SESSION },
    ]);
  });

  it('tells nothing without a session', async () => {
    const { records, manager } = setUp();
    await manager.recordResult('k', 'value', { size: 5 });
    await manager.checkIdempotency('k');
    expect(records).toEqual([]);
  });

  it('works without a sink, and with one that throws', async () => {
    const throwing = syncSink(() => {
      throw new Error('listener');
    });
    for (const options of [{}, { events: throwing }]) {
      const manager = new IdempotencyManager({ ledger: memoryLedger(), ...options });
      expect(await manager.recordResult('k', 'value', undefined, SESSION)).toBe(true);
      expect(await manager.checkIdempotency('k', SESSION)).toEqual({ hit: true, value: 'value' });
    }
  });
});
