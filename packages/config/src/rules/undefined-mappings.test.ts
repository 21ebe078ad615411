import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Config } from '../config.ts';
import { configGroups } from '../documents.ts';
import { lookUp } from '../look-up/look-up.ts';
import { migrateConfig } from '../migrate/migrate-config.ts';
import { parseConfig } from '../parse-config.ts';

/** The sample file of the data model, version 1.0.0. */
const TEXT = readFileSync(new URL('../testing/version-1.0.0.yaml', import.meta.url), 'utf8');

/** Mappings to a name that no policy has, found in the text alone: path without groups, policy, line. */
function undefinedInText() {
  const lines = TEXT.split('\n');
  const policies = lines.flatMap((line) => /^ {2}(\w+):$/.exec(line)?.[1] ?? []);
  return lines.flatMap((line, at) => {
    const [, , policy] = /^ {6}(\w+): "(\w+)"$/.exec(line) ?? [];
    return policy === undefined || policies.includes(policy) ? [] : [{ policy, line: at + 1 }];
  });
}

test('the sample file of version 1.0.0 loads, with a warning for each mapping to a policy that it lacks', () => {
  const { config, valid, problems } = parseConfig(TEXT);
  expect(valid).toBe(true);
  const warnings = problems.filter(({ code }) => code === 'undefined_mapping');
  expect(warnings.map(({ line }) => line)).toEqual(undefinedInText().map(({ line }) => line));
  expect(warnings).toHaveLength(8);
  expect(warnings[0]).toMatchObject({
    severity: 'warning',
    path: 'subsystem_mappings.browser.state_operations.disk_full',
    message:
      'browser.state_operations.disk_full is mapped to browser_disk_full, which is not a policy: the default policy is used',
    suggestion: 'define the policy browser_disk_full, or remove the mapping',
  });
  expect(config && lookUp(config, 'browser.state_operations.disk_full')).toMatchObject({
    matchedBy: 'global_defaults',
    policy: { policy: { jitter: 'full', jitterAmount: 0.1 } },
  });
  expect(config && lookUp(config, 'browser.state_operations.timeout').policy?.id).toBe(
    'browser_state_timeout',
  );
});

const mappingsOf = (config: Config) =>
  configGroups(config, { effective: false }).flatMap(({ path, values }) =>
    path === 'subsystem_mappings' ? values : [],
  );

test('config show says which policy is used for a mapping to a policy that the file lacks', () => {
  const { config } = parseConfig(TEXT);
  if (config === undefined) throw new Error('the file loads');
  const mappings = mappingsOf(config);
  expect(mappings.filter(({ servedBy }) => servedBy).map(({ value }) => value)).toEqual(
    undefinedInText().map(({ policy }) => policy),
  );
  expect(mappings.find(({ value }) => value === 'browser_disk_full')?.servedBy).toBe(
    'global_defaults',
  );
});

test('a default of the group is used before the global defaults', () => {
  const { config } = parseConfig(
    TEXT.replace('disk_full: "browser_disk_full"', '$&\n      default: "browser_network_error"'),
  );
  if (config === undefined) throw new Error('the file loads');
  const found = mappingsOf(config).find(({ value }) => value === 'browser_disk_full');
  expect(found?.servedBy).toBe('browser_network_error');
});

test('from version 1.1.0 on, a mapping to a policy that the file lacks is an error', () => {
  const { valid, problems } = parseConfig(TEXT.replace('version: "1.0.0"', 'version: "1.1.0"'));
  expect(valid).toBe(false);
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code, line }) => ({ code, line }))).toEqual(
    undefinedInText().map(({ line }) => ({ code: 'unknown_policy', line })),
  );
});

test('migrating such a file is refused, with the mappings to correct', () => {
  expect(() => migrateConfig(TEXT)).toThrow(
    /^The configuration cannot be migrated: in version 1\.1\.0 it would not be valid: line \d+: browser\.state_operations\.disk_full is mapped to browser_disk_full, which is not a policy; .*and 3 more\.$/,
  );
});

test('a section that names a policy that the file lacks is an error in version 1.0.0, too', () => {
  const { problems } = parseConfig(`${TEXT}\njobs: { handlers: { h: { policy: nobody } } }\n`);
  expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'unknown_policy', path: 'jobs.handlers.h.policy' },
  ]);
});
