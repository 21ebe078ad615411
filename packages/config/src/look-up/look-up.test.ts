import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { sampleConfig } from '../sample.ts';
import { lookUp } from './look-up.ts';

function configOf(text: string) {
  const { config, problems } = parseConfig(text);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

const sample = configOf(`${sampleConfig()}`);
const find = (name: string) => {
  const { policy, ...rest } = lookUp(sample, name);
  return { id: policy?.id, ...rest };
};

describe('lookUp', () => {
  it.each([
    ['browser_state_timeout', 'browser_state_timeout', 'policy'],
    ['events.default', 'events.default', 'policy'],
    ['RETRY_NATS_CONNECT', 'RETRY_NATS_CONNECT', 'category'],
    ['NATS_CONNECT', 'RETRY_NATS_CONNECT', 'category'],
    ['REPLAY_REPLAY_VALIDATION', 'RETRY_REPLAY_VALIDATION', 'category'],
    ['browser.state_operations.timeout', 'browser_state_timeout', 'path'],
    ['browser.session_operations.default', 'browser_session_default', 'path'],
    ['browser.session_operations.restore', 'browser_session_default', 'group_default'],
    ['browser.session_operations', 'browser_session_default', 'group_default'],
    ['browser.session_operations.restore.again', 'browser_session_default', 'group_default'],
    ['events.shipping', 'events.default', 'group_default'],
    ['events', 'events.default', 'group_default'],
    ['browser.state_operations.unheard_of', 'global_defaults', 'global_defaults'],
    ['search.index', 'global_defaults', 'global_defaults'],
  ])('%s finds %s by %s', (name, id, matchedBy) => {
    expect(find(name)).toMatchObject({ id, matchedBy });
  });

  it('says which rule it was', () => {
    expect(find('browser.state_operations.timeout')).toMatchObject({
      rule: 'subsystem_mappings: browser.state_operations.timeout',
    });
    expect(find('browser.session_operations.restore')).toMatchObject({
      rule: 'default of browser.session_operations',
    });
  });

  it('takes the nearest default around a path', () => {
    const config = configOf(`version: "1.1.0"
subsystem_mappings:
  default: RETRY_API_REQUEST
  a:
    default: RETRY_KV_GET
    b: { c: RETRY_KV_PUT }`);
    expect(lookUp(config, 'x')).not.toHaveProperty('matchedBy');
    expect(lookUp(config, 'a.b.c').policy?.id).toBe('RETRY_KV_PUT');
    expect(lookUp(config, 'a.b.x').policy?.id).toBe('RETRY_KV_GET');
    expect(lookUp(config, 'x.y')).toMatchObject({
      matchedBy: 'group_default',
      policy: { id: 'RETRY_API_REQUEST' },
    });
  });

  it("has the file's global defaults in what it falls back to", () => {
    const { policy } = lookUp(sample, 'search.index');
    expect(policy?.policy).toMatchObject({ maxAttempts: 3, jitter: 'full', jitterAmount: 1 });
  });

  it.each([
    ['browser_state_timeuot', 'Did you mean "browser_state_timeout"?'],
    ['RETRY_NATS_CONECT', 'Did you mean "RETRY_NATS_CONNECT"?'],
    ['qqqqqqqq', undefined],
    ['', undefined],
    ['a..b', undefined],
    ['__proto__', undefined],
  ])('does not find %s', (name, suggestion) => {
    const found = find(name);
    expect(found.id).toBeUndefined();
    expect(found).toHaveProperty('message');
    expect('suggestion' in found ? found.suggestion : undefined).toBe(suggestion);
  });
});
