import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';

function lintsOf(text: string) {
  const { valid, problems } = parseConfig(`version: "1.1.0"\n${text}`);
  expect(valid).toBe(true);
  expect(problems.every(({ severity }) => severity === 'warning')).toBe(true);
  return problems;
}

describe('weak_jitter', () => {
  const policy = (fields: string) =>
    `policies:\n  events.a: { name: A, max_attempts: 3, backoff_type: fixed, base_delay: 1, max_delay: 1, ${fields} }`;

  it.each([
    ['jitter_type: full, jitter_amount: 0.1', true],
    ['jitter_type: full', true],
    ['jitter_type: full, jitter_amount: 0.25', false],
    ['jitter_type: equal, jitter_amount: 0.49', true],
    ['jitter_type: equal, jitter_amount: 0.5', false],
    ['jitter_type: proportional, jitter_amount: 0.1', false],
    ['jitter_type: decorrelated', false],
    ['jitter_type: none', false],
    ['jitter_type: full, enabled: false', false],
  ])('%s: %s', (fields, isWeak) => {
    expect(lintsOf(policy(fields)).map(({ code }) => code)).toEqual(isWeak ? ['weak_jitter'] : []);
  });

  it('is said once for a line that several policies share', () => {
    const one = '{ name: A, max_attempts: 3, backoff_type: fixed, base_delay: 1, max_delay: 1 }';
    const text = `global_defaults:\n  jitter_type: full\n  jitter_amount: 0.1\npolicies:\n  events.a: ${one}\n  events.b: ${one}`;
    expect(lintsOf(text)).toMatchObject([
      {
        code: 'weak_jitter',
        line: 4,
        path: 'global_defaults.jitter_amount',
        suggestion: 'write jitter_amount: 1.0',
      },
    ]);
    expect(lintsOf(text)[0]?.message).toContain('events.a and 1 more');
  });
});

describe('ttl_too_short', () => {
  const policy = (ttl: number) => `policies:\n  events.a:\n    extends: events\n    ttl: ${ttl}`;

  it('is said where the waits alone take longer', () => {
    expect(lintsOf(policy(10))).toMatchObject([{ code: 'ttl_too_short', line: 5 }]);
    expect(lintsOf(policy(10))[0]).toMatchObject({
      message: 'events.a: a ttl of 10 s ends before attempt 7 of 8: the waits alone take 31.75 s',
      suggestion: 'raise ttl above 31.75, or write max_attempts: 6',
    });
    expect(lintsOf(policy(31.75))).toHaveLength(1);
    expect(lintsOf(policy(31.76))).toEqual([]);
  });
});

describe('unstable_retries', () => {
  const load = (utilisation: number, layers: string, more = '') =>
    `load:\n  db: { utilisation: ${utilisation}, layers: [${layers}] }\n${more}`;

  it.each([
    // Three attempts each: 0.3 × 3 is below 1, 0.34 × 3 is not.
    [0.33, 'RETRY_KV_GET', false],
    [0.34, 'RETRY_KV_GET', true],
    // Layers in process count their retries together: 3 and 5 attempts are 5 calls.
    [0.33, 'RETRY_KV_GET, RETRY_KV_PUT', false],
    [0.34, 'RETRY_KV_GET, RETRY_KV_PUT', true],
    [0.19, 'RETRY_KV_GET, RETRY_NATS_CONNECT', false],
    [0.2, 'RETRY_KV_GET, RETRY_NATS_CONNECT', true],
    // A stored layer multiplies what happens in each of its attempts: 8 × 3, whatever the order.
    [0.041, 'runs.default, RETRY_KV_GET', false],
    [0.042, 'runs.default, RETRY_KV_GET', true],
    [0.042, 'RETRY_KV_PUT, runs.default, RETRY_KV_GET', true],
    [0.042, 'RETRY_KV_GET, runs.default', true],
    [0.99, 'RETRY_REPLAY_PROCESSING', false],
    [0, 'RETRY_KV_GET', false],
  ])('at %d through %s: %s', (utilisation, layers, isUnstable) => {
    const codes = lintsOf(load(utilisation, layers)).map(({ code }) => code);
    expect(codes).toEqual(isUnstable ? ['unstable_retries'] : []);
  });

  it('shows the sum, at the place of the load', () => {
    expect(lintsOf(load(0.5, 'RETRY_KV_GET'))).toMatchObject([{ line: 3, path: 'load.db' }]);
    expect(lintsOf(load(0.5, 'RETRY_KV_GET'))[0]?.message).toContain(
      '0.5 × 3 (RETRY_KV_GET) = 1.5',
    );
  });

  it('says the product of a stored layer and what is inside, with the time of the waits', () => {
    const [found] = lintsOf(load(0.5, 'runs.default, RETRY_KV_GET'));
    expect(found?.message).toBe(
      'db: 0.5 × 8 (runs.default) × 3 (RETRY_KV_GET) = 12, which is not below 1: retries would keep an overload going after its cause is gone. 8 attempts of at most 3 calls each: 24 calls in 2 h 3 min at worst',
    );
  });

  it('takes a policy that a handler names, or that extends a stored one, for stored', () => {
    const policies =
      'policies: { events.a: { extends: KV_GET }, mine: { extends: runs.default, max_attempts: 2 }, plain: { extends: KV_GET, max_attempts: 4 } }\n';
    const handler =
      'jobs: { handlers: { x: { command: [a], policy: plain, idempotent: true } } }\nsubsystem_mappings: { s: { m: mine } }\n';
    const message = (layers: string) =>
      lintsOf(load(1, layers, policies + handler)).find(({ code }) => code === 'unstable_retries')
        ?.message;
    expect(message('events.a, RETRY_KV_GET')).toContain('3 attempts of at most 3 calls each: 9');
    expect(message('mine, RETRY_KV_GET')).toContain('2 attempts of at most 3 calls each: 6 calls');
    expect(message('plain, RETRY_KV_GET')).toContain('4 attempts of at most 3 calls each: 12');
  });

  it('takes a budget for what bounds the retries', () => {
    const policies = 'policies: { events.a: { extends: KV_GET, dependency: db } }\n';
    expect(lintsOf(load(0.8, 'events.a', policies))).toEqual([]);
    expect(lintsOf(load(0.84, 'events.a', policies))).toHaveLength(1);
    const budget = 'budgets: { db: { ratio: 0.1 } }\n';
    expect(lintsOf(load(0.84, 'events.a', policies + budget))).toEqual([]);
  });
});

describe('silent_at_least_once', () => {
  it.each([
    ['{ command: [a] }', true],
    ['{ command: [a], idempotent: true }', false],
    ['{ command: [a], idempotent: false }', false],
    ['{ command: [a], on_unknown: retry }', false],
    ['{ command: [a], on_unknown: dead_letter }', false],
  ])('%s: %s', (handler, isSilent) => {
    const found = lintsOf(`jobs:\n  handlers:\n    mail: ${handler}`);
    expect(found.map(({ code, line }) => [code, line])).toEqual(
      isSilent ? [['silent_at_least_once', 4]] : [],
    );
  });
});

describe('stuck_threshold_hides_backoff', () => {
  it.each([
    ['sweeps: { stuck_threshold: 86400 }', true],
    ['sweeps: { stuck_threshold: 2401 }', true],
    ['sweeps: { stuck_threshold: 2400 }', false],
    ['policies: { documents.chunks: { extends: documents.chunks, max_attempts: 9 } }', true],
    ['policies: { runs.mine: { extends: runs.default } }', false],
  ])('%s: %s', (text, isHidden) => {
    expect(lintsOf(text).map(({ code }) => code)).toEqual(
      isHidden ? ['stuck_threshold_hides_backoff'] : [],
    );
  });
});
