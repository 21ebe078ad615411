import { isRedriveError } from '@redrive/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { sampleConfig } from '../sample.ts';
import { migrateConfig } from './migrate-config.ts';

/** As people write: comments everywhere, odd spaces, three kinds of quotes, a list in two styles, a long line. */
const WRITTEN = `# Our retries.
version:   "1.0.0"   # of the format

# Global defaults applied to all policies
global_defaults: {jitter_type: full,   jitter_amount: 0.1 }

policies:

    # four spaces here
    browser_state_timeout:
        name: 'Browser State Timeout Retry'
        description: ${'a long line '.repeat(20)}
        max_attempts: 3
        backoff_type: "exponential"
        base_delay: 1.0
        max_delay: 10.0
        retryable_exceptions:
        - "TimeoutError"
        -   ConnectionError   # both
        enabled: true

subsystem_mappings:
  browser:
    state_operations:
      timeout: browser_state_timeout
# the end`;

const FILE_JSON = `{
  "version": "1.0.0",
  "policies": {
    "a": { "name": "A", "max_attempts": 3, "backoff_type": "fixed", "base_delay": 1, "max_delay": 1 }
  },
  "subsystem_mappings": { "x": { "y": { "z": "a" } } }
}
`;

/** What every file of 1.0.0 has. */
const REST = 'policies: {}\nsubsystem_mappings: {}\n';

describe('a migration', () => {
  it('changes the version and not one character more', () => {
    const { text, changes } = migrateConfig(WRITTEN);
    expect(text).toBe(WRITTEN.replace('"1.0.0"', '"1.1.0"'));
    expect(changes).toEqual(['version: 1.0.0 → 1.1.0']);
  });

  it.each([
    ['JSON', FILE_JSON, FILE_JSON.replace('1.0.0', '1.1.0')],
    ['no quotes', 'version: 1.0.0\n', 'version: 1.1.0\n'],
    ['single quotes', "version: '1.0.0'\n", "version: '1.1.0'\n"],
    ['Windows line ends', '# a\r\nversion: 1.0.0\r\n# b\r\n', '# a\r\nversion: 1.1.0\r\n# b\r\n'],
    ['a byte order mark', '\uFEFFversion: 1.0.0\n', '\uFEFFversion: 1.1.0\n'],
    ['an escape', 'version: "1.0.\\x30"\n', 'version: "1.1.0"\n'],
    [
      'the same text elsewhere',
      '# 1.0.0\nversion: 1.0.0 # 1.0.0\n',
      '# 1.0.0\nversion: 1.1.0 # 1.0.0\n',
    ],
    ['an anchor', 'version: &v 1.0.0\n', 'version: &v 1.1.0\n'],
  ])('keeps %s', (_, before, after) => {
    const rest = before === FILE_JSON ? '' : REST;
    expect(migrateConfig(before + rest).text).toBe(after + rest);
  });

  it('writes the two misspelt codes as what they stand for', () => {
    const before = `version: "1.0.0"
policies: {}
subsystem_mappings:
  replay: { load: { wrong: 'REPLAY_REPLAY_VALIDATION', slow: REPLAY_REPLAY_PROCESSING } }
`;
    const { text, changes } = migrateConfig(before);
    expect(text).toContain("{ wrong: 'RETRY_REPLAY_VALIDATION', slow: RETRY_REPLAY_PROCESSING }");
    expect(changes).toEqual([
      'version: 1.0.0 → 1.1.0',
      'subsystem_mappings.replay.load.wrong: REPLAY_REPLAY_VALIDATION → RETRY_REPLAY_VALIDATION',
      'subsystem_mappings.replay.load.slow: REPLAY_REPLAY_PROCESSING → RETRY_REPLAY_PROCESSING',
    ]);
  });

  it('leaves a file alone that is up to date', () => {
    const text = sampleConfig();
    expect(migrateConfig(text)).toEqual({ text, changes: [] });
  });

  it.each([
    ['no YAML', 'version: "1.0.0"\npolicies: [', /not valid: line 2/],
    ['no version', 'policies: {}\n', /not valid/],
    ['another major version', 'version: "2.0.0"\n', /not valid/],
    ['a mistake', 'version: "1.0.0"\npolicies: { a: { max_attempts: 0 } }\n', /not valid/],
    ['nothing', '', /not valid/],
  ])('refuses %s', (_, text, message) => {
    try {
      migrateConfig(text);
      expect.unreachable();
    } catch (error) {
      if (!isRedriveError(error, 'invalid_config')) throw error;
      expect(error.message).toMatch(message);
      expect(error.details).toHaveProperty('problems.0.severity', 'error');
    }
  });

  it('refuses to change a value that only looked like the version', () => {
    const text = `version: &v "1.0.0"
policies: { a: { name: *v, max_attempts: 3, backoff_type: fixed, base_delay: 1, max_delay: 1 } }
subsystem_mappings: {}
`;
    expect(() => migrateConfig(text)).toThrow('the migrated text would have another meaning');
  });

  it('gives a valid file that means the same, and does it once', () => {
    const name = fc.stringMatching(/^[a-z][a-z_]{0,12}$/);
    const policies = fc.dictionary(
      fc.stringMatching(/^my_[a-z]{1,8}$/),
      fc.record({
        name,
        max_attempts: fc.integer({ min: 1, max: 20 }),
        backoff_type: fc.constantFrom('exponential', 'linear', 'fixed', 'immediate'),
        base_delay: fc.constantFrom(0, 0.5, 1),
        max_delay: fc.constantFrom(1, 30, 600),
        enabled: fc.boolean(),
      }),
      { maxKeys: 5 },
    );
    const style = fc.constantFrom<[string, number | undefined]>(['JSON', undefined], ['JSON', 3]);
    fc.assert(
      fc.property(policies, style, fc.boolean(), (map, [, indent], comment) => {
        const file = { version: '1.0.0', policies: map, subsystem_mappings: {} };
        const json = JSON.stringify(file, undefined, indent);
        const before = comment ? `# ours\n${json} # end` : json;
        const { text } = migrateConfig(before);
        const [old, now] = [parseConfig(before), parseConfig(text)];
        expect([now.valid, now.config?.version]).toEqual([true, '1.1.0']);
        expect(now.config?.hash).toBe(old.config?.hash);
        expect(migrateConfig(text)).toEqual({ text, changes: [] });
      }),
    );
  });
});
