import { describe, expect, it } from 'vitest';
import { RetryError } from '../errors/retry-error.ts';
import type { Classification } from './classification.ts';
import { classifyStored, judgedFinal, rememberFinal } from './classify-stored.ts';

const NOW_MS = 1_000_000;
const context = { attempt: 1, nowMs: NOW_MS };

function gaveUp(
  reason: RetryError['reason'],
  failure?: Classification,
  retryInMs?: number,
  cause: unknown = new Error('down'),
): RetryError {
  const retryAt = retryInMs === undefined ? undefined : new Date(NOW_MS + retryInMs);
  const names = { operation: 'op', category: 'op', sessionId: 's' };
  const story = { attempts: [], totalAttempts: 1, maxAttempts: 3, failingMs: 5 };
  return new RetryError({ reason, ...names, ...story, failure, retryAt }, cause);
}

const RETRYABLE: Classification = { errorClass: 'retryable', effect: 'none' };

describe('a give-up inside an attempt of a stored rung', () => {
  it('has the class, the effect and the hint that the inner session saw last', () => {
    const seen: Classification = { errorClass: 'rate_limited', effect: 'none', retryAfterMs: 500 };
    const error = gaveUp('max_attempts_exceeded', seen, 9_000);
    expect(classifyStored(error, {}, context)).toEqual({ meaning: seen, untried: false });
    const wrapped = new Error('wrapped', { cause: error });
    expect(classifyStored(wrapped, {}, context).meaning).toEqual(seen);
  });

  it('has no hint where only the inner back-off is known', () => {
    const error = gaveUp('max_attempts_exceeded', RETRYABLE, 9_000);
    expect(classifyStored(error, {}, context).meaning.retryAfterMs).toBeUndefined();
  });

  it.each(['breaker_open', 'budget_exhausted', 'kill_switch'] as const)(
    'names %s as what kept it from its next attempt',
    (reason) => {
      expect(classifyStored(gaveUp(reason, RETRYABLE, 7_000), {}, context)).toMatchObject({
        meaning: RETRYABLE,
        blockedBy: { cause: reason, retryAfterMs: 7_000 },
        untried: false,
      });
    },
  );

  it('had no effect and says nothing about the dependency when it was refused at once', () => {
    const error = gaveUp('breaker_open', undefined, -5_000);
    expect(classifyStored(error, {}, context)).toEqual({
      meaning: { errorClass: 'retryable', effect: 'none', retryAfterMs: undefined },
      blockedBy: { cause: 'breaker_open', retryAfterMs: 0 },
      untried: true,
    });
  });

  it('may go on at once where nobody knows how long the block lasts', () => {
    const { blockedBy } = classifyStored(gaveUp('kill_switch', RETRYABLE), {}, context);
    expect(blockedBy).toEqual({ cause: 'kill_switch', retryAfterMs: 0 });
  });

  it('has an unknown effect where another version of the package does not say which', () => {
    const error = Object.assign(new Error('gave up'), {
      code: 'retry_gave_up',
      errorClass: 'retryable',
    });
    expect(classifyStored(error, {}, context).meaning.effect).toBe('unknown');
  });

  it('goes by the lists and classifiers of the rung first', () => {
    const cause = Object.assign(new Error('no'), { name: 'ValidationError' });
    const error = gaveUp('max_attempts_exceeded', RETRYABLE, undefined, cause);
    const of = (rules: Parameters<typeof classifyStored>[1]) =>
      classifyStored(error, rules, context).meaning.errorClass;
    expect(of({ nonRetryableExceptions: ['ValidationError'] })).toBe('final');
    expect(of({ retryableExceptions: ['ECONNRESET'] })).toBe('final');
    expect(of({ classify: () => ({ errorClass: 'final', effect: 'none' }) })).toBe('final');
    expect(
      of({
        retryableExceptions: ['ValidationError'],
        classify: () => ({ errorClass: 'final', effect: 'none' }),
      }),
    ).toBe('retryable');
  });

  it('is final where the inner session was handed over: its work goes on elsewhere', () => {
    const error = gaveUp('handed_over', RETRYABLE, 9_000);
    expect(classifyStored(error, {}, context).meaning.errorClass).toBe('final');
  });
});

describe('an error that an inner session judged final', () => {
  it('stays final, whatever the rung would call it', () => {
    const error = new Error('not worth it');
    const judgement: Classification = { errorClass: 'final', effect: 'none' };
    rememberFinal(error, 'none');
    expect(judgedFinal(error)).toBe('none');
    const rules = { retryableExceptions: [Error] };
    expect(classifyStored(error, rules, context).meaning).toEqual(judgement);
    const wrapped = new Error('wrapped', { cause: error });
    expect(classifyStored(wrapped, {}, context).meaning).toEqual(judgement);
  });

  it('is remembered by identity only: a thrown text is not', () => {
    rememberFinal('no', 'none');
    expect(judgedFinal('no')).toBeUndefined();
  });
});

it('any other error means what classify says, also one that throws when it is looked at', () => {
  const busy = Object.assign(new Error('busy'), { status: 503 });
  expect(classifyStored(busy, {}, context).meaning.errorClass).toBe('retryable');
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(classifyStored(proxy, {}, context).meaning.errorClass).toBe('retryable');
});
