import { openAccount } from '@redrive/core/stored';
import type { EnqueueCommand } from '@redrive/durable/store';
import { describe, expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { encodeUniformJobs } from './uniform-jobs.ts';

const account = openAccount();

/** Each has one field without its default value. */
const NOT_UNIFORM: readonly (readonly [string, (id: string) => EnqueueCommand])[] = [
  ['a tenant', (id) => enqueueOf(id, { tenant: 't' })],
  ['a priority', (id) => enqueueOf(id, { priority: 1 })],
  ['a due time', (id) => enqueueOf(id, { due: { inMs: 5 } })],
  ['a deadline', (id) => ({ ...enqueueOf(id), deadline: { inMs: 5 } })],
  ['a unique key', (id) => enqueueOf(id, { uniqueKey: 'k' })],
  ['a limit key', (id) => enqueueOf(id, { limitKey: 'k' })],
  ['a session of its own', (id) => enqueueOf(id, { sessionId: 'other' })],
  ['a key of its own', (id) => enqueueOf(id, { idempotencyKey: 'other' })],
  ['tags', (id) => enqueueOf(id, { tags: ['t'] })],
  ['headers', (id) => enqueueOf(id, { headers: { a: 'b' } })],
  ['bytes', (id) => enqueueOf(id, { payload: { kind: 'bytes', bytes: new Uint8Array([1]) } })],
  ['an error class', (id) => ({ ...enqueueOf(id), errorClass: 'retryable' })],
  ['attempts behind it', (id) => ({ ...enqueueOf(id), account: { ...account, executions: 2 } })],
  ['a generation', (id) => ({ ...enqueueOf(id), account: { ...account, generation: 2 } })],
];

describe('jobs that are as most are', () => {
  it('go without the columns that they do not need', () => {
    expect(encodeUniformJobs([enqueueOf('a'), enqueueOf('b')])).toEqual([
      '{"a","b"}',
      'mail',
      'default',
      expect.stringContaining('"by":"test"'),
      '1\u00011',
      null,
    ]);
  });

  it('may be events of one source: their spec goes along once', () => {
    const event = (id: string, source = 's') =>
      enqueueOf(id, { origin: { rung: 'event', bus: 'memory', source } });
    const spec = '{"origin":{"rung":"event","bus":"memory","source":"s"}}';
    expect(encodeUniformJobs([event('a'), event('b')])?.at(-1)).toBe(spec);
    expect(encodeUniformJobs([event('a'), event('b', 'other')])).toBeUndefined();
    expect(encodeUniformJobs([event('a'), enqueueOf('b')])).toBeUndefined();
  });

  it.each(NOT_UNIFORM)('are none with %s, neither as the first nor behind another', (_, other) => {
    expect(encodeUniformJobs([other('a')])).toBeUndefined();
    expect(encodeUniformJobs([enqueueOf('a'), other('b')])).toBeUndefined();
  });

  it.each<[string, Partial<EnqueueCommand['job']>]>([
    ['handler', { handler: 'other' }],
    ['queue', { queue: 'other' }],
    ['policy', { policyId: 'p' }],
    ['correlation', { correlationId: 'c' }],
    ['trace', { traceId: 't' }],
  ])('do not differ in their %s', (_, other) => {
    expect(encodeUniformJobs([enqueueOf('a', other)])).toBeDefined();
    expect(encodeUniformJobs([enqueueOf('a'), enqueueOf('b', other)])).toBeUndefined();
  });

  it('nor in who enqueues them', () => {
    const by = (name: string, why?: string) => ({ ...enqueueOf(name), actor: { name, why } });
    expect(encodeUniformJobs([by('a'), by('b')])).toBeUndefined();
    expect(encodeUniformJobs([by('a'), { ...by('a', 'so') }])).toBeUndefined();
  });
});
