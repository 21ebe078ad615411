import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Config } from '../config.ts';
import { parseConfig } from '../parse-config.ts';
import { diffConfig, MAX_DIFF_ENTRIES, renderDiff } from './diff-config.ts';

function configOf(text: string): Config {
  const { config, problems } = parseConfig(text);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

const policy = (id: string, fields = '') =>
  `  ${id}: { name: N, max_attempts: 3, backoff_type: fixed, base_delay: 1.5, max_delay: 10${fields} }\n`;
const file = (policies: string, rest = '') =>
  `version: "1.1.0"\n${policies && `policies:\n${policies}`}${rest}`;

const diff = (before: string, after: string) =>
  renderDiff(diffConfig(configOf(before), configOf(after)));

describe('the difference of two configurations', () => {
  it('is nothing where both say the same, however they are written', () => {
    const text = file(policy('a') + policy('b', ', jitter_type: none'));
    expect(diff(text, `# A comment\n${file(policy('b') + policy('a'))}`)).toEqual([]);
  });

  it('has changed fields with the names and units of the file', () => {
    const after = ', ttl: 60, retryable_exceptions: [TimeoutError]';
    expect(diff(file(policy('a')), file(policy('a', after)))).toEqual([
      '~ policies.a.ttl: none → 60',
      '~ policies.a.retryable_exceptions: [] → ["TimeoutError"]',
    ]);
    expect(
      diff(file(policy('a')), file(policy('a').replace('1.5', '2.25').replace('3', '5'))),
    ).toEqual(['~ policies.a.max_attempts: 3 → 5', '~ policies.a.base_delay: 1.5 → 2.25']);
  });

  it('has added and removed policies with what was said about them', () => {
    const said = 'name N, max_attempts 3, backoff_type fixed, base_delay 1.5, max_delay 10';
    expect(diff(file(policy('a')), file(policy('b')))).toEqual([
      `- policies.a: ${said}`,
      `+ policies.b: ${said}`,
    ]);
  });

  it('has defaults, mappings and what follows from them', () => {
    const mapping = (id: string) => `subsystem_mappings: { shop: { cart: { timeout: ${id} } } }\n`;
    const before = file(policy('a') + policy('b'), mapping('a'));
    const after = file(policy('a') + policy('b'), mapping('b'));
    expect(diff(before, after)).toEqual(['~ subsystem_mappings.shop.cart.timeout: a → b']);
    const mapped = diff(file(policy('a')), file(policy('a'), mapping('a')));
    expect(mapped).toEqual(['+ subsystem_mappings.shop.cart.timeout: a']);
    const defaults = diff(file(''), file('', 'global_defaults: { jitter_type: full }\n'));
    expect(defaults[0]).toBe('~ global_defaults.jitter_type: none → full');
  });

  it('has what an unknown error means, which changes with what a policy extends', () => {
    const fields = 'max_attempts: 8, backoff_type: exponential, base_delay: 0.25, max_delay: 60';
    const rest = 'jitter_type: full, jitter_amount: 1, ttl: 1800';
    const [before, after] = ['extends: events, ', ''].map((begin) =>
      configOf(file(`  a: { ${begin}name: N, ${fields}, ${rest} }\n`)),
    );
    if (before === undefined || after === undefined) throw new Error('There are two');
    expect(renderDiff(diffConfig(before, after))).toEqual([
      '~ policies.a.unclassified_errors: final → retryable',
    ]);
    expect(before.hash).not.toBe(after.hash);
  });

  it('has sections by path', () => {
    const [a, b] = [configOf(file('')), configOf(file(''))];
    const before: Config = { ...a, sections: { x: { gone: [1], kept: 1, list: [1, 2] } } };
    const after: Config = { ...b, sections: { x: { kept: 2, list: [2, 1], here: true } } };
    expect(renderDiff(diffConfig(before, after))).toEqual([
      '- x.gone: [1]',
      '+ x.here: true',
      '~ x.kept: 1 → 2',
      '~ x.list: [1,2] → [2,1]',
    ]);
  });

  it('is bounded in number and in length', () => {
    const many = Array.from({ length: 250 }, (_, index) => policy(`p${index}`)).join('');
    const large = diffConfig(configOf(file('')), configOf(file(many)));
    expect([large.entries.length, large.omitted]).toEqual([MAX_DIFF_ENTRIES, 50]);
    expect(renderDiff(large).at(-1)).toBe('… and 50 more');
    const long = `, description: ${'x'.repeat(5_000)}`;
    const [line = ''] = diff(file(policy('a')), file(policy('a', long)));
    expect(line.length).toBeLessThan(300);
  });

  it('tells that a password has changed, and neither the old nor the new one', () => {
    const store = (password: string) =>
      file('', `store: { url: "postgres://me:${password}@h/db" }`);
    expect(diff(store('old'), store('new'))).toEqual([
      '~ store.url: postgres://***@h/db → postgres://***@h/db',
    ]);
  });

  it('is nothing exactly if the hashes are the same', () => {
    const texts = fc.record({
      attempts: fc.integer({ min: 1, max: 3 }),
      ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
      jitter: fc.constantFrom('none', 'full'),
    });
    const textOf = ({
      attempts,
      ids,
      jitter,
    }: {
      attempts: number;
      ids: string[];
      jitter: string;
    }) =>
      file(
        ids.map((id) => policy(id).replace('3', String(attempts))).join(''),
        `global_defaults: { jitter_type: ${jitter} }\n`,
      );
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [before, after] = [configOf(textOf(one)), configOf(textOf(other))];
        const { entries } = diffConfig(before, after);
        expect(entries.length === 0).toBe(before.hash === after.hash);
      }),
    );
  });
});
