import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { parseConfig } from '../parse-config.ts';
import { PROBLEM_CODES } from '../problem/codes.ts';
import { sampleConfig } from '../sample.ts';
import { configJsonSchema } from '../shape/file-shape.ts';
import { policyFileFields } from '../shape/policy-shape.ts';
import { configReference } from './configuration-page.ts';

const page = '../../../../docs/reference/configuration.md';
const root = new URL('../../../../', import.meta.url);

describe('docs/reference/configuration.md', () => {
  it('is what the tables say; `npx vitest run -u` writes it anew', async () => {
    await expect(configReference()).toMatchFileSnapshot(page);
  });

  it('names every key of the schema and every code, each once in the tables of its section', () => {
    const text = configReference();
    for (const code of Object.keys(PROBLEM_CODES)) {
      expect(text.split(`\n| \`${code}\` |`), code).toHaveLength(2);
    }
    for (const key of keysOf(configJsonSchema())) expect(text, key).toContain(`| \`${key}\` |`);
  });
});

describe('the sample, the schema and the validator', () => {
  it('agree on the sample: no problem at all', () => {
    expect(parseConfig(sampleConfig())).toMatchObject({ valid: true, problems: [] });
    expect(schemaAccepts(parse(sampleConfig()))).toBe(true);
  });

  it('have the sample in a file to look at; `npx vitest run -u` writes it anew', async () => {
    await expect(sampleConfig()).toMatchFileSnapshot('../../redrive.sample.yaml');
  });

  it('have the sample map twelve operations of three subsystems, each to a policy that is there', () => {
    const { config } = parseConfig(sampleConfig());
    expect([...(config?.mappings ?? [])]).toEqual([
      ['browser.state_operations.timeout', 'browser_state_timeout'],
      ['browser.state_operations.network_error', 'browser_network_error'],
      ['browser.state_operations.disk_full', 'browser_disk_full'],
      ['browser.monitoring_operations.timeout', 'browser_monitoring_timeout'],
      ['browser.monitoring_operations.access_denied', 'browser_access_denied'],
      ['browser.monitoring_operations.psutil_error', 'browser_psutil_error'],
      ['browser.session_operations.default', 'browser_session_default'],
      ['navigation.route_adaptation.retry_with_delay', 'navigation_retry_with_delay'],
      ['telemetry.error_handling.default', 'telemetry_error_handling'],
      ['telemetry.batch_processing.default', 'telemetry_batch_processing'],
      ['telemetry.alerting.notification', 'telemetry_alerting_notification'],
      ['telemetry.simple_retries.default', 'telemetry_simple_retries'],
    ]);
    for (const id of config?.mappings.values() ?? [])
      expect(config?.policies.has(id), id).toBe(true);
  });

  it.each<[string, unknown]>([
    ['max_attempts', 0],
    ['max_attempts', 1.5],
    ['backoff_type', 'quadratic'],
    ['base_delay', -1],
    ['jitter_amount', 1.01],
    ['circuit_breaker_timeout', 0],
    ['retryable_exceptions', 'TimeoutError'],
    ['enabled', 'yes'],
    ['ttl', '60'],
    ['max_atempts', 3],
  ])('both refuse %s: %j', (field, value) => {
    const file = { version: '1.1.0', global_defaults: { [field]: value } };
    expect(schemaAccepts(file)).toBe(false);
    expect(parseConfig(JSON.stringify(file)).valid).toBe(false);
  });

  it('know every field of a policy that exists in files', () => {
    const schema = configJsonSchema();
    const keys = Object.keys(
      Object(Object(Object(schema.properties).policies).additionalProperties).properties,
    );
    expect(keys.sort()).toEqual([...policyFileFields().keys(), 'extends'].sort());
  });

  it('refuse a section that they do not have', () => {
    expect(parseConfig('version: "1.1.0"\ngateway: {}').problems).toMatchObject([
      { code: 'unknown_key', path: 'gateway', line: 2, column: 1 },
    ]);
  });
});

it('the page is linked from the documentation', () => {
  expect(readFileSync(new URL('docs/README.md', root), 'utf8')).toContain(
    'reference/configuration.md',
  );
});

/** The schema is read back by zod, so that not the same validator is asked twice. */
function schemaAccepts(value: unknown): boolean {
  // A JSON Schema is what the function says it makes.
  return z.fromJSONSchema(configJsonSchema() as z.core.JSONSchema.JSONSchema).safeParse(value)
    .success;
}

function keysOf(schema: unknown): string[] {
  const { properties = {}, additionalProperties } = Object(schema);
  return [
    ...Object.entries(properties).flatMap(([key, part]) => [key, ...keysOf(part)]),
    ...(typeof additionalProperties === 'object' ? keysOf(additionalProperties) : []),
  ];
}
