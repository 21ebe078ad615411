import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { MAX_KEYS } from '../registry/bounded-registry.ts';
import { circuitBreakers } from './breakers.ts';

const failure = { errorClass: 'retryable', effect: 'unknown' } as const;

test('one breaker per key, with the settings of who asked first', () => {
  const breakers = circuitBreakers({ clock: virtualClock(), threshold: 3 });
  const payments = breakers.for('payments', { threshold: 7, timeoutMs: 5_000 });
  expect(breakers.for('payments', { threshold: 9 })).toBe(payments);
  expect(breakers.for('mail')).not.toBe(payments);
  expect(breakers.states()).toMatchObject([
    { policy_id: 'payments', threshold: 7, timeout: 5 },
    { policy_id: 'mail', threshold: 3, timeout: 60 },
  ]);
});

test('forget makes room for new settings', () => {
  const breakers = circuitBreakers();
  const payments = breakers.for('payments');
  breakers.forget('payments');
  expect(breakers.for('payments')).not.toBe(payments);
});

test('wrong settings are found when it is made', () => {
  expect(() => circuitBreakers({ threshold: Number.NaN })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});

test('idle closed breakers make room for new ones; those with something to tell stay', () => {
  const breakers = circuitBreakers({ clock: virtualClock(), threshold: 2 });
  const isolated = breakers.for('isolated');
  isolated.isolate();
  const open = breakers.for('open');
  for (let i = 0; i < 2; i++) open.record(open.admit(), failure);
  const counting = breakers.for('counting');
  counting.record(counting.admit(), failure);
  const first = breakers.for('0');
  const second = breakers.for('1');
  for (let i = 2; i < MAX_KEYS - 3; i++) breakers.for(`${i}`);
  expect(breakers.for('0')).toBe(first);

  breakers.for('one more');
  expect(breakers.states()).toHaveLength(MAX_KEYS);
  expect(breakers.for('isolated')).toBe(isolated);
  expect(breakers.for('open')).toBe(open);
  expect(breakers.for('counting')).toBe(counting);
  expect(breakers.for('1')).toBe(second);
  expect(breakers.for('0')).not.toBe(first);
});

test('when none is idle the oldest goes, but never an isolated one', () => {
  const breakers = circuitBreakers({ clock: virtualClock() });
  const isolated = breakers.for('isolated');
  isolated.isolate();
  const busy = Array.from({ length: MAX_KEYS - 1 }, (_, i) => breakers.for(`${i}`));
  for (const breaker of busy) breaker.record(breaker.admit(), failure);
  breakers.for('one more');
  const kept = new Set(breakers.states().map((state) => state.policy_id));
  expect(kept.size).toBe(MAX_KEYS);
  expect(kept.has('isolated')).toBe(true);
  expect(kept.has('0')).toBe(false);
  expect(kept.has('1')).toBe(true);
});

test('if all are isolated, none goes', () => {
  const breakers = circuitBreakers({ clock: virtualClock() });
  for (let i = 0; i < MAX_KEYS; i++) breakers.for(`${i}`).isolate();
  breakers.for('one more');
  expect(breakers.states()).toHaveLength(MAX_KEYS + 1);
});
