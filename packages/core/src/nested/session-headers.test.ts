import { type ParentSession, retry, sessionFromHeaders, sessionHeaders } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { HeadersLike } from './session-headers.ts';

const atOnce = { backoff: 'immediate' } as const;

describe('a session that goes to another process by headers', () => {
  it('arrives with its id, the retries made so far and its time', async () => {
    const here = virtualClock({ monotonicMs: 1_000 });
    const there = virtualClock({ monotonicMs: 900_000 });
    const policy = { maxAttempts: 5, ttlMs: 10_000 };
    await retry(
      (context) => {
        const headers = sessionHeaders(context);
        expect(headers).toEqual({
          'redrive-session': 'orders%2F1%20%C3%A9',
          'redrive-retries': '0',
          'redrive-time-left-ms': '10000',
        });
        for (const form of [headers, new Headers(headers)]) {
          const session = sessionFromHeaders(form, there);
          expect(session).toMatchObject({ sessionId: 'orders/1 é', retries: { count: 0 } });
          expect(session?.timeLeftMs()).toBe(10_000);
          expect(session?.signal).toBeUndefined();
        }
        const session = sessionFromHeaders(headers, there);
        there.tick(4_000);
        expect(session?.timeLeftMs()).toBe(6_000);
      },
      policy,
      { clock: here, sessionId: 'orders/1 é' },
    );
  });

  it('limits what the other process retries, and for how long', async () => {
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    const headers = { 'redrive-session': 's', 'redrive-retries': '7' };
    const parent = sessionFromHeaders(headers);
    const call = retry(operation, { ...atOnce, maxAttempts: 9 }, { parent });
    await expect(call).rejects.toMatchObject({ reason: 'allowance_exhausted', totalAttempts: 2 });

    const clock = virtualClock();
    const late = sessionFromHeaders(
      { 'redrive-session': 's', 'redrive-time-left-ms': '500' },
      clock,
    );
    const inTime = retry(operation, { baseDelayMs: 600, jitter: 'none' }, { clock, parent: late });
    await expect(inTime).rejects.toMatchObject({ reason: 'ttl_exceeded' });
  });

  it('says nothing of time where there is no deadline, and never less than nothing', () => {
    const session = (count: number, timeLeftMs: number): ParentSession => ({
      sessionId: 's',
      retries: { count },
      timeLeftMs: () => timeLeftMs,
    });
    expect(sessionHeaders(session(2, Infinity))).toEqual({
      'redrive-session': 's',
      'redrive-retries': '2',
    });
    expect(sessionHeaders(session(-1, -3.5))).toEqual({
      'redrive-session': 's',
      'redrive-retries': '0',
      'redrive-time-left-ms': '0',
    });
    expect(sessionHeaders(session(1, 12.9))['redrive-time-left-ms']).toBe('12');
  });

  it('survives ids that no header could hold', () => {
    for (const sessionId of ['a\r\nx: y', '日本', 'lone \ud800 surrogate', '100%', ' s ']) {
      const session = { sessionId, retries: { count: 1 }, timeLeftMs: () => Infinity };
      const headers = new Headers(sessionHeaders(session));
      expect(sessionFromHeaders(headers)?.sessionId).toBe(sessionId.toWellFormed());
    }
  });

  it('has no deadline in headers where there was none', () => {
    const session = { sessionId: 's', retries: { count: 2 }, timeLeftMs: () => Infinity };
    const parent = sessionFromHeaders(sessionHeaders(session));
    expect(parent?.retries.count).toBe(2);
    expect(parent?.timeLeftMs()).toBe(Infinity);
  });
});

describe('headers of strangers', () => {
  it.each<[string, HeadersLike]>([
    ['none', {}],
    ['an empty id', { 'redrive-session': '' }],
    ['an id of 501 characters', { 'redrive-session': 'x'.repeat(501) }],
    ['a list of ids', { 'redrive-session': ['a', 'b'] }],
    ['a count alone', new Headers({ 'redrive-retries': '1' })],
  ])('are no session: %s', (_, headers) => {
    expect(sessionFromHeaders(headers)).toBeUndefined();
  });

  it.each([
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '',
    ' 1',
    '1, 2',
    '9'.repeat(16),
    'garbage',
    ['1', '2'],
    undefined,
  ])('set no limit when they are malformed: %j', (value) => {
    const headers = {
      'redrive-session': 's',
      'redrive-retries': value,
      'redrive-time-left-ms': value,
    };
    const session = sessionFromHeaders(headers);
    expect(session?.retries.count).toBe(0);
    expect(session?.timeLeftMs()).toBe(Infinity);
  });

  it('never raise the retries above what the policy here says', async () => {
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    const headers = { 'redrive-session': 's', 'redrive-retries': '0' };
    const parent = sessionFromHeaders(headers);
    await expect(retry(operation, atOnce, { parent })).rejects.toMatchObject({ totalAttempts: 3 });
    const most = sessionFromHeaders({ ...headers, 'redrive-retries': '9'.repeat(15) });
    await expect(retry(operation, atOnce, { parent: most })).rejects.toMatchObject({
      reason: 'allowance_exhausted',
      totalAttempts: 1,
    });
  });

  it('are taken literally where they are not encoded well', () => {
    expect(sessionFromHeaders({ 'redrive-session': '100%' })?.sessionId).toBe('100%');
  });
});
