import { RetryCategory } from '@redrive/core/manager';
import { expect, test } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { sampleConfig } from '../sample.ts';
import { categoriesOf, subsystemFinder } from './subsystem-of.ts';

function configOf(text: string) {
  const { config, problems } = parseConfig(text);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

const POLICY =
  'name: p\n    max_attempts: 2\n    backoff_type: fixed\n    base_delay: 1\n    max_delay: 1\n    enabled: true';

test.each([
  ['save_state', 'browser_state_timeout', 'browser'],
  ['save_state', 'navigation_retry_with_delay', 'navigation'],
  ['browser.state_operations.timeout', 'navigation_retry_with_delay', 'browser'],
  // No mapping names these.
  ['search.index', 'runs.default', 'search'],
  ['save_state', 'runs.default', 'save_state'],
  ['.hidden', 'runs.default', '.hidden'],
])('%s under %s is of the subsystem %s', (operation, policy, subsystem) => {
  const find = subsystemFinder(configOf(`${sampleConfig()}`));
  expect(find(operation, policy)).toBe(subsystem);
});

test('a policy that two subsystems share names none of them', () => {
  const find = subsystemFinder(
    configOf(`version: "1.1.0"
policies:
  shared:
    ${POLICY}
subsystem_mappings:
  browser: { save: { default: shared } }
  navigation: { route: { default: shared } }
`),
  );
  expect(find('save_state', 'shared')).toBe('save_state');
  expect(find('browser.save.default', 'shared')).toBe('browser');
});

test('categories are the 17 that are built in and those of the file', () => {
  const config = configOf(`version: "1.1.0"
policies:
  RETRY_SEARCH_QUERY:
    ${POLICY}
  other:
    ${POLICY}
`);
  const all = [...Object.values(RetryCategory), 'RETRY_SEARCH_QUERY'].sort();
  expect(categoriesOf(config)).toEqual(all);
  expect(all).toHaveLength(18);
});
