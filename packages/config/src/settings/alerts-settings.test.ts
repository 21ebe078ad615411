import { expect, test } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { alertsSettings } from './alerts-settings.ts';

function settingsOf(text: string) {
  const { config, problems } = parseConfig(`version: "1.1.0"\npolicies: {}\n${text}`);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return { settings: alertsSettings(config), problems };
}

test('without a section it is 100 retries per minute for every category', () => {
  expect(settingsOf('').settings).toEqual({ retriesPerMinute: 100, categories: {} });
});

test('categories have thresholds of their own; one that nothing has is a warning with a suggestion', () => {
  const { settings, problems } = settingsOf(
    'alerts:\n  retries_per_minute: 50\n  categories: { RETRY_KV_GET: 600, none: 7, RETRY_KV_GETS: 1 }\n',
  );
  expect(settings).toEqual({
    retriesPerMinute: 50,
    categories: { RETRY_KV_GET: 600, none: 7, RETRY_KV_GETS: 1 },
  });
  expect(problems).toMatchObject([
    {
      code: 'unknown_category',
      severity: 'warning',
      line: 5,
      suggestion: 'did you mean RETRY_KV_GET?',
    },
  ]);
});

test.each([
  'retries_per_minute: -1',
  'retries_per_minute: many',
  'categories: { RETRY_KV_GET: -1 }',
])('%s is refused', (line) => {
  const { config } = parseConfig(`version: "1.1.0"\npolicies: {}\nalerts:\n  ${line}\n`);
  expect(config).toBeUndefined();
});
