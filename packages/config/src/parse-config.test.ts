import { sha256 } from '@redrive/core/idempotency';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseConfig } from './parse-config.ts';
import { sampleConfig } from './sample.ts';

/** A complete file of version 1.0.0, as people have them. */
const FILE_1_0_0 = `version: "1.0.0"

# Global defaults applied to all policies
global_defaults:
  jitter_type: "full"
  jitter_amount: 0.1
  enable_circuit_breaker: false

policies:
  browser_state_timeout:
    name: "Browser State Timeout Retry"
    description: "Retry state operations that timeout"
    max_attempts: 3
    backoff_type: "exponential"
    base_delay: 1.0
    max_delay: 10.0
    retryable_exceptions:
      - "TimeoutError"
      - "ConnectionError"
    enabled: true

subsystem_mappings:
  browser:
    state_operations:
      timeout: "browser_state_timeout"
`;

const codes = (text: string) => parseConfig(text).problems.map(({ code }) => code);

describe('a file of version 1.0.0', () => {
  const { valid, problems, config } = parseConfig(FILE_1_0_0, { file: 'etc/retry.yaml' });
  const policy = config?.policies.get('browser_state_timeout');

  it('loads, with the one lint that its jitter deserves', () => {
    expect(valid).toBe(true);
    expect(problems).toMatchObject([
      { code: 'weak_jitter', severity: 'warning', line: 6, column: 18, file: 'etc/retry.yaml' },
    ]);
  });

  it('has its values in the units of code', () => {
    expect(policy?.policy).toMatchObject({
      id: 'browser_state_timeout',
      maxAttempts: 3,
      baseDelayMs: 1_000,
      maxDelayMs: 10_000,
      jitter: 'full',
      jitterAmount: 0.1,
      retryableExceptions: ['TimeoutError', 'ConnectionError'],
      multiplier: 2,
      ttlMs: Infinity,
    });
  });

  it('knows where each came from', () => {
    expect(policy?.sources).toMatchObject({
      maxAttempts: { kind: 'file', where: 'etc/retry.yaml:13' },
      jitter: { kind: 'file', where: 'etc/retry.yaml:5' },
      multiplier: { kind: 'default', where: 'built in' },
    });
  });

  it('says the same in JSON', () => {
    const json = JSON.stringify(parse(FILE_1_0_0), undefined, '\t');
    expect(parseConfig(json).config?.hash).toBe(config?.hash);
  });
});

describe('problems', () => {
  it('come all at once, each at its line, with what to write instead', () => {
    const { valid, problems } = parseConfig(`version: "1.1.0"
global_defaults:
  jitter_amont: 0.5
policies:
  a:
    name: A
    max_attempts: 0
    backoff_type: exponentail
    base_delay: 5
    max_delay: 1
    enabled: yes
subsystem_mappings:
  x: { y: b }
`);
    expect(valid).toBe(false);
    expect(
      problems.map(({ line, column, code, path, suggestion }) => [
        line,
        column,
        code,
        path,
        suggestion,
      ]),
    ).toEqual([
      [3, 3, 'unknown_key', 'global_defaults.jitter_amont', 'did you mean jitter_amount?'],
      [7, 19, 'out_of_range', 'policies.a.max_attempts', 'write max_attempts: 1'],
      [8, 19, 'out_of_range', 'policies.a.backoff_type', 'write backoff_type: exponential'],
      [10, 16, 'max_delay_below_base', 'policies.a.max_delay', 'write max_delay: 5'],
      [11, 14, 'wrong_type', 'policies.a.enabled', 'write enabled: true'],
      [13, 11, 'unknown_policy', 'subsystem_mappings.x.y', 'did you mean a?'],
    ]);
  });

  it('are of one kind only while the text is no YAML', () => {
    expect(parseConfig('version: "1.1.0\npolicies: 3')).toMatchObject({
      valid: false,
      problems: [{ code: 'syntax_error', line: 2 }],
    });
    expect(parseConfig('a:\n\tb: 1').problems).toMatchObject([
      { code: 'syntax_error', suggestion: 'indent with spaces' },
    ]);
  });

  it('are at most a hundred, errors first', () => {
    const many = Array.from({ length: 150 }, (_, n) => `  p${n}: { name: P }`).join('\n');
    const { problems } = parseConfig(`version: "1.1.0"\npolicies:\n${many}\nbogus: 1`);
    expect(problems).toHaveLength(101);
    expect(problems.filter(({ severity }) => severity === 'warning')).toMatchObject([
      { code: 'too_many_problems' },
    ]);
  });

  it.each([
    ['', ['missing_field']],
    ['# nothing', ['missing_field']],
    ['- a', ['wrong_type']],
    ['version: 1.1', ['wrong_type']],
    ['version: "1"', ['out_of_range']],
    ['version: "2.0.0"', ['unsupported_version']],
    ['version: "0.9.0"', ['unsupported_version']],
    ['version: "1.2.0"', ['newer_version']],
    ['version: "1.1.7"', []],
    ['version: "1.1.0"\npolicies:\nsubsystem_mappings:\njobs:', []],
    ['version: "1.1.0"\npolicies: []', ['wrong_type']],
    ['version: "1.1.0"\npolicies: { events.a: 3 }', ['wrong_type']],
    ['version: "1.1.0"\nsubsystem_mappings: { a: [x] }', ['wrong_type']],
    ['version: "1.1.0"\nsubsystem_mappings: { a: }', ['wrong_type']],
    ['version: "1.1.0"\nx: *nowhere', ['unknown_alias', 'unknown_key']],
  ])('%j has %j', (text, expected) => {
    expect([...new Set(codes(text))].sort()).toEqual(expected.toSorted());
  });

  it('explain a version that is too new in one sentence', () => {
    expect(parseConfig('version: "2.3.4"').problems).toMatchObject([
      {
        line: 1,
        column: 10,
        message: 'The file has version 2.3.4, but this Redrive reads versions 1.0.0 to 1.1.0 only',
      },
    ]);
  });

  it('ask for the version as a text', () => {
    expect(parseConfig('version: 1.1').problems).toMatchObject([
      { suggestion: 'write version: "1.1"' },
    ]);
  });
});

describe('the hash', () => {
  it('does not depend on comments, order or spelling of the file', () => {
    const { config } = parseConfig(sampleConfig());
    const data = parse(sampleConfig());
    const reversed = Object.fromEntries(Object.entries(data).reverse());
    expect(parseConfig(stringify(reversed)).config?.hash).toBe(config?.hash);
    expect(parseConfig(JSON.stringify(data)).config?.hash).toBe(config?.hash);
    expect(config?.hash).toHaveLength(sha256('').length);
  });

  it.each([
    ['a number', (text: string) => text.replace('max_attempts: 3', 'max_attempts: 4')],
    ['a default', (text: string) => text.replace('jitter_amount: 1.0', 'jitter_amount: 0.9')],
    [
      'a mapping',
      (text: string) => text.replace('timeout: browser_state_timeout', 'timeout: RETRY_KV_GET'),
    ],
    ['a section', (text: string) => text.replace('concurrency: 4', 'concurrency: 5')],
  ])('depends on %s', (_, change) => {
    const before = parseConfig(sampleConfig()).config?.hash;
    const after = parseConfig(change(sampleConfig())).config?.hash;
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
  });
});

it('a configuration cannot be changed', () => {
  const { config } = parseConfig(sampleConfig());
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config?.sections)).toBe(true);
  expect(Object.isFrozen(Object(config?.sections.jobs).handlers.resize.command)).toBe(true);
  for (const policy of config?.policies.values() ?? []) {
    expect(Object.isFrozen(policy) && Object.isFrozen(policy.policy)).toBe(true);
  }
});
