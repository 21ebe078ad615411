import { type CauseRule, MAX_RULES } from '@redrive/core/stored';
import { describe, expect, test } from 'vitest';
import { causeRules, causeWithoutRules, type FailureFacts, namedCause } from './cause-rules.ts';

const DECLINED: FailureFacts = {
  handler: 'charge',
  type: 'CardError',
  message: 'Your card was declined by bank 12',
  code: 'card_declined',
};
const EXPIRED: FailureFacts = { ...DECLINED, message: 'Your card has expired', code: 'expired' };
const DOWN: FailureFacts = { handler: 'mail', type: 'Error', message: 'connect ECONNREFUSED' };

const without = (facts: FailureFacts) => causeWithoutRules(facts).fingerprint;
const of = (facts: FailureFacts, ...rules: CauseRule[]) => causeRules(rules).causeOf(facts);

test('without a rule, a failure has the cause of its message', () => {
  expect(of(DECLINED)).toEqual(causeWithoutRules(DECLINED));
});

describe('a name', () => {
  test('that a handler gives is the cause, whatever the message, the type and the handler', () => {
    const named = { ...DECLINED, cause: 'no-money' };
    expect(of(named)).toEqual(namedCause('no-money'));
    expect(of({ ...DOWN, cause: 'no-money' })).toEqual(namedCause('no-money'));
    expect(of({ ...DOWN, cause: 'no-card' }).fingerprint).not.toBe(of(named).fingerprint);
    expect(of(named).pattern).toBe('no-money');
  });

  test('that a handler gives wins over a rule by conditions', () => {
    const rule = { name: 'cards', types: ['CardError'] };
    expect(of({ ...DECLINED, cause: 'no-money' }, rule)).toEqual(namedCause('no-money'));
  });

  test('of a rule is the same cause as that of a handler', () => {
    const rule = { name: 'no-money', title: 'No money', types: ['CardError'] };
    expect(of(DECLINED, rule)).toEqual({ ...namedCause('no-money'), pattern: 'No money' });
  });

  test('can be joined to another cause by its fingerprint', () => {
    const { fingerprint } = namedCause('no-money');
    const rule = { name: 'cards', fingerprints: [fingerprint] };
    expect(of({ ...DECLINED, cause: 'no-money' }, rule)).toEqual(namedCause('cards'));
  });
});

describe('a rule that joins', () => {
  test('takes failures of all fingerprints that it lists, and no others', () => {
    const rule = { name: 'cards', fingerprints: [without(DECLINED), without(EXPIRED)] };
    expect(of(DECLINED, rule)).toEqual(namedCause('cards'));
    expect(of(EXPIRED, rule)).toEqual(namedCause('cards'));
    expect(of(DOWN, rule)).toEqual(causeWithoutRules(DOWN));
  });

  test('keeps the fingerprint of the cause that the others join', () => {
    const into = without(DECLINED);
    const rule = { name: 'cards', fingerprints: [into, without(EXPIRED)], into, title: 'Cards' };
    expect(of(EXPIRED, rule)).toEqual({ fingerprint: into, pattern: 'Cards' });
    expect(of(DECLINED, rule)).toEqual({ fingerprint: into, pattern: 'Cards' });
  });

  test.each<[string, Partial<CauseRule>]>([
    ['handler', { handlers: ['ch*'] }],
    ['type', { types: ['carderror'] }],
    ['code', { codes: ['card_*', 'other'] }],
    ['message', { messages: ['*declined*'] }],
    ['all of them', { handlers: ['charge'], codes: ['*'], messages: ['your*'] }],
  ])('takes failures by %s', (_, conditions) => {
    const rule = { name: 'cards', ...conditions };
    expect(of(DECLINED, rule)).toEqual(namedCause('cards'));
    expect(of(DOWN, rule)).toEqual(causeWithoutRules(DOWN));
  });

  test('needs all of its conditions', () => {
    const rule = { name: 'cards', handlers: ['charge'], messages: ['*expired*'] };
    expect(of(DECLINED, rule)).toEqual(causeWithoutRules(DECLINED));
    expect(of(EXPIRED, rule)).toEqual(namedCause('cards'));
  });

  test('leaves a failure alone that an earlier rule has named', () => {
    const first = { name: 'first', messages: ['*declined*'] };
    const second = { name: 'second', handlers: ['charge'] };
    expect(of(DECLINED, first, second)).toEqual(namedCause('first'));
    expect(of(EXPIRED, first, second)).toEqual(namedCause('second'));
  });

  test('can join what an earlier rule has joined', () => {
    const first = { name: 'first', fingerprints: [without(DECLINED)] };
    const second = { name: 'second', fingerprints: [namedCause('first').fingerprint] };
    expect(of(DECLINED, first, second)).toEqual(namedCause('second'));
  });

  test('with a title alone gives the cause a new name', () => {
    const cause = without(DOWN);
    const rule = { name: 'renamed', fingerprints: [cause], into: cause, title: 'Mail is down' };
    expect(of(DOWN, rule)).toEqual({ fingerprint: cause, pattern: 'Mail is down' });
  });
});

describe('a rule that splits', () => {
  const twelve = DECLINED;
  const thirteen = { ...DECLINED, message: 'Your card was declined by bank 13', code: 'stolen' };
  const fingerprints = [without(twelve)];

  test('by message makes a cause for each message', () => {
    expect(without(twelve)).toBe(without(thirteen));
    const rule = { name: 'by-bank', fingerprints, splitBy: 'message' } as const;
    const [one, other] = [of(twelve, rule), of(thirteen, rule)];
    expect(one.fingerprint).not.toBe(other.fingerprint);
    expect(one.pattern).toBe(
      'CardError: Your card was declined by bank <n> (message Your card was declined by bank 12)',
    );
    expect(of({ ...twelve }, rule)).toEqual(one);
  });

  test('by code leaves a failure without a code in the cause itself', () => {
    const rule = { name: 'by-code', fingerprints, splitBy: 'code' } as const;
    expect(of(twelve, rule).fingerprint).not.toBe(of(thirteen, rule).fingerprint);
    const { code: _, ...bare } = twelve;
    expect(of(bare, rule)).toEqual(causeWithoutRules(bare));
  });

  test('by a pattern sets the failures apart that match', () => {
    const rule = { name: 'bank-13', fingerprints, splitPattern: '*bank 13' };
    expect(of(twelve, rule)).toEqual(causeWithoutRules(twelve));
    expect(of(thirteen, rule).fingerprint).not.toBe(without(thirteen));
    expect(of(thirteen, rule).pattern).toBe(
      'CardError: Your card was declined by bank <n> (pattern *bank 13)',
    );
  });

  test('splits what an earlier rule has joined', () => {
    const joined = { name: 'cards', fingerprints: [without(DECLINED), without(EXPIRED)] };
    const { fingerprint } = namedCause('cards');
    const split = { name: 'by-handler', fingerprints: [fingerprint], splitBy: 'handler' } as const;
    const here = of(DECLINED, joined, split);
    expect(of(EXPIRED, joined, split)).toEqual(here);
    expect(of({ ...DECLINED, handler: 'refund' }, joined, split)).not.toEqual(here);
  });
});

test('more than 500 rules are refused', () => {
  const many = Array.from({ length: MAX_RULES + 1 }, (_, at) => ({
    messages: ['*card*'],
    name: `r${at}`,
  }));
  expect(() => causeRules(many)).toThrow(RangeError);
  expect(causeRules(many.slice(1)).rules).toHaveLength(MAX_RULES);
});
