import { describe, expect, it } from 'vitest';
import type { Override } from '../config.ts';
import { checkFile } from '../parse-config.ts';
import { resolveConfig } from '../resolve/resolve-config.ts';
import { readEnvironment } from './read-environment.ts';

type Place = 'flag' | 'process' | 'env file' | 'file' | 'preset' | 'default';

const FLAG: Override = {
  policyId: 'events.default',
  field: 'maxAttempts',
  value: 2,
  source: { kind: 'flag', where: '--max-attempts' },
};
const FILE = `version: "1.1.0"
policies:
  events.default:
    extends: events.default
    max_attempts: 5
`;

function resolve(given: readonly Place[], text = 'version: "1.1.0"\n') {
  const outside = readEnvironment({
    environment: given.includes('process') ? { RETRY_MAX_ATTEMPTS: '3' } : {},
    envFile: given.includes('env file')
      ? { name: 'retry.env', text: 'RETRY_MAX_ATTEMPTS=4\n' }
      : undefined,
  });
  const { config, problems } = resolveConfig(checkFile(given.includes('file') ? FILE : text), {
    ...outside,
    overrides: [...outside.overrides, ...(given.includes('flag') ? [FLAG] : [])],
  });
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

describe('flags, then the environment, then the file, then presets, then defaults', () => {
  it.each<[winner: Place, value: number, where: string, given: Place[]]>([
    ['flag', 2, '--max-attempts', ['flag', 'process', 'env file', 'file']],
    ['flag', 2, '--max-attempts', ['flag', 'process']],
    ['flag', 2, '--max-attempts', ['flag', 'env file']],
    ['flag', 2, '--max-attempts', ['flag', 'file']],
    ['flag', 2, '--max-attempts', ['flag']],
    ['process', 3, 'RETRY_MAX_ATTEMPTS', ['process', 'env file', 'file']],
    ['process', 3, 'RETRY_MAX_ATTEMPTS', ['process', 'file']],
    ['process', 3, 'RETRY_MAX_ATTEMPTS', ['process']],
    ['env file', 4, 'retry.env:1 RETRY_MAX_ATTEMPTS', ['env file', 'file']],
    ['env file', 4, 'retry.env:1 RETRY_MAX_ATTEMPTS', ['env file']],
    ['file', 5, 'redrive.yaml:5', ['file']],
    ['preset', 8, 'preset events', []],
  ])('%s wins: %d from %s', (winner, value, where, given) => {
    const kind = { process: 'environment', 'env file': 'environment' }[winner as string] ?? winner;
    const found = resolve(given).policies.get('events.default');
    expect(found?.policy.maxAttempts).toBe(value);
    expect(found?.sources.maxAttempts).toEqual({ kind, where });
  });

  it('takes from the defaults what nobody says', () => {
    const found = resolve([]).policies.get('events.default');
    expect(found?.policy.circuitBreakerThreshold).toBe(5);
    expect(found?.sources.circuitBreakerThreshold.kind).toBe('default');
  });
});

describe('variables', () => {
  const text = `version: "1.1.0"
policies:
  events.orders: { extends: events.default, base_delay: 1 }
  orders: { extends: events.default }
`;
  const withVariables = (environment: Record<string, string>) =>
    resolveConfig(checkFile(text), readEnvironment({ environment }));

  it("of events reach the events, the file's own included, and nothing else", () => {
    const { config } = withVariables({ RETRY_MAX_ATTEMPTS: '4', RETRY_BASE_DELAY_MS: '125' });
    const found = [...(config?.policies ?? [])].filter(
      ([, { sources }]) => sources.maxAttempts.kind === 'environment',
    );
    expect(found.map(([id, { policy }]) => [id, policy.maxAttempts, policy.baseDelayMs])).toEqual([
      ['events.default', 4, 125],
      ['events.orders', 4, 125],
    ]);
  });

  it('of documents reach the documents and their sweeps, and nothing else', () => {
    const before = withVariables({}).config;
    const { config } = withVariables({
      RETRY_JOB_BASE_DELAY_SECONDS: '60',
      RETRY_JOB_MAX_ATTEMPTS_CHUNKS: '7',
      RETRY_JOB_INTERVAL_SECONDS: '60',
      RETRY_JOB_STUCK_THRESHOLD_HOURS: '0.5',
    });
    const found = [...(config?.policies ?? [])].filter(([, { sources }]) =>
      Object.values(sources).some(({ kind }) => kind === 'environment'),
    );
    expect(found.map(([id, { policy }]) => [id, policy.baseDelayMs, policy.maxAttempts])).toEqual([
      ['documents.archives', 60_000, 3],
      ['documents.messages', 60_000, 3],
      ['documents.chunks', 60_000, 7],
      ['documents.threads', 60_000, 5],
    ]);
    expect(config?.sections.sweeps).toMatchObject({ interval: 60, stuck_threshold: 1_800 });
    expect(config?.sources.get('sweeps.interval')).toEqual({
      kind: 'environment',
      where: 'RETRY_JOB_INTERVAL_SECONDS',
    });
    expect(config?.hash).not.toBe(before?.hash);
  });

  it('that contradict the rest are an error that names them', () => {
    const { valid, problems } = withVariables({ RETRY_MAX_DELAY_SECONDS: '0.1' });
    expect(valid).toBe(false);
    expect(problems.find(({ severity }) => severity === 'error')).toMatchObject({
      code: 'invalid_override',
      file: 'RETRY_MAX_DELAY_SECONDS',
    });
  });
});
