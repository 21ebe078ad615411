import { describe, expect, it } from 'vitest';
import { readEnvironment } from './read-environment.ts';
import { VARIABLES } from './variables.ts';

const read = (environment: Record<string, string>, text?: string) =>
  readEnvironment({
    environment,
    ...(text === undefined ? {} : { envFile: { name: 'retry.env', text } }),
  });

describe('the environment', () => {
  it('has variables for events and for documents, with their units', () => {
    const given = {
      RETRY_MAX_ATTEMPTS: '8',
      RETRY_BASE_DELAY_MS: '250',
      RETRY_BACKOFF_FACTOR: '2.0',
      RETRY_MAX_DELAY_SECONDS: '60',
      RETRY_TTL_MINUTES: '30',
      RETRY_JOB_INTERVAL_SECONDS: '900',
      RETRY_JOB_BASE_DELAY_SECONDS: '300',
      RETRY_JOB_MAX_DELAY_SECONDS: '3600',
      RETRY_JOB_STUCK_THRESHOLD_HOURS: '24',
      RETRY_JOB_MAX_ATTEMPTS_ARCHIVES: '3',
      RETRY_JOB_MAX_ATTEMPTS_MESSAGES: '4',
      RETRY_JOB_MAX_ATTEMPTS_CHUNKS: '5',
      RETRY_JOB_MAX_ATTEMPTS_THREADS: '6',
    };
    const { overrides, sectionOverrides, problems } = read(given);
    expect(problems).toEqual([]);
    expect(overrides.map(({ policyId, field, value }) => [policyId, field, value])).toEqual([
      ['events.*', 'maxAttempts', 8],
      ['events.*', 'baseDelayMs', 250],
      ['events.*', 'multiplier', 2],
      ['events.*', 'maxDelayMs', 60_000],
      ['events.*', 'ttlMs', 1_800_000],
      ['documents.*', 'baseDelayMs', 300_000],
      ['documents.*', 'maxDelayMs', 3_600_000],
      ['documents.archives', 'maxAttempts', 3],
      ['documents.messages', 'maxAttempts', 4],
      ['documents.chunks', 'maxAttempts', 5],
      ['documents.threads', 'maxAttempts', 6],
    ]);
    expect(sectionOverrides.map(({ section, key, value }) => [section, key, value])).toEqual([
      ['sweeps', 'interval', 900],
      ['sweeps', 'stuck_threshold', 86_400],
    ]);
    expect(Object.keys(given).sort()).toEqual(VARIABLES.map(({ name }) => name).sort());
  });

  it('says where a value came from', () => {
    expect(read({ RETRY_MAX_ATTEMPTS: '4' }).overrides[0]?.source).toEqual({
      kind: 'environment',
      where: 'RETRY_MAX_ATTEMPTS',
    });
    expect(read({}, '# ours\n\nRETRY_MAX_ATTEMPTS=4\n').overrides[0]?.source).toEqual({
      kind: 'environment',
      where: 'retry.env:3 RETRY_MAX_ATTEMPTS',
    });
  });

  it('lets the process beat the file, and a later line an earlier one', () => {
    const text = 'RETRY_MAX_ATTEMPTS=4\nRETRY_TTL_MINUTES=1\nRETRY_TTL_MINUTES=2\n';
    const { overrides } = read({ RETRY_MAX_ATTEMPTS: '5' }, text);
    expect(overrides.map(({ value }) => value)).toEqual([5, 120_000]);
  });

  it.each([
    ['RETRY_MAX_ATTEMPTS', 'eight', 'a whole number from 1 up to 1000000000'],
    ['RETRY_MAX_ATTEMPTS', '0', 'a whole number from 1 up to 1000000000'],
    ['RETRY_MAX_ATTEMPTS', '2.5', 'a whole number from 1 up to 1000000000'],
    ['RETRY_MAX_ATTEMPTS', '-1', 'a whole number from 1 up to 1000000000'],
    ['RETRY_MAX_ATTEMPTS', '0x10', 'a whole number from 1 up to 1000000000'],
    ['RETRY_MAX_ATTEMPTS', '1e3', 'a whole number from 1 up to 1000000000'],
    ['RETRY_BASE_DELAY_MS', '1s', 'a number of milliseconds from 0 up to 315360000000'],
    ['RETRY_BACKOFF_FACTOR', '0.5', 'a number from 1 up to 1000000'],
    ['RETRY_MAX_DELAY_SECONDS', 'NaN', 'a number of seconds from 0 up to 315360000'],
    ['RETRY_TTL_MINUTES', '0', 'a number of minutes above 0'],
    ['RETRY_TTL_MINUTES', 'Infinity', 'a number of minutes above 0'],
    ['RETRY_JOB_STUCK_THRESHOLD_HOURS', '24h', 'a number of hours above 0 up to 87600'],
  ])('refuses %s=%s and says what it must be', (name, value, expected) => {
    const { overrides, sectionOverrides, problems } = read({ [name]: value });
    expect([...overrides, ...sectionOverrides]).toEqual([]);
    expect(problems).toMatchObject([
      {
        severity: 'error',
        code: 'malformed_variable',
        path: name,
        message: `The environment variable ${name} must be ${expected}, not "${value}"`,
      },
    ]);
  });

  it('reports all malformed values at once, with the line where they are in a file', () => {
    const { problems } = read(
      { RETRY_TTL_MINUTES: 'x' },
      'A=1\nRETRY_JOB_INTERVAL_SECONDS=y\noops\n',
    );
    expect(problems.map(({ path, line, file }) => [path, line, file])).toEqual([
      ['', 3, 'retry.env'],
      ['RETRY_TTL_MINUTES', 1, 'RETRY_TTL_MINUTES'],
      ['RETRY_JOB_INTERVAL_SECONDS', 2, 'retry.env'],
    ]);
  });

  it('does not repeat a value of any length', () => {
    const [problem] = read({ RETRY_TTL_MINUTES: 'x'.repeat(10_000) }).problems;
    expect(problem?.message.length).toBeLessThan(200);
  });

  it.each([
    ['RETRY_MAX_ATTEMPT', 'RETRY_MAX_ATTEMPTS'],
    ['Retry_Max_Attempts', 'RETRY_MAX_ATTEMPTS'],
    ['RETRY_MAX_DELAY_MS', 'RETRY_MAX_DELAY_SECONDS'],
    ['RETRY_TTL_SECONDS', 'RETRY_TTL_MINUTES'],
    ['RETRY_JOB_MAX_ATTEMPTS_CHUNK', 'RETRY_JOB_MAX_ATTEMPTS_CHUNKS'],
  ])('warns of %s, which looks like %s', (name, meant) => {
    expect(read({ [name]: '3' })).toMatchObject({
      overrides: [],
      problems: [{ severity: 'warning', code: 'unknown_variable', suggestion: `write ${meant}` }],
    });
  });

  it.each(['PATH', 'RETRY_QUEUE_NAME', 'RETRY_NATS_CONNECT', 'MAX_ATTEMPTS', 'RETRY_'])(
    'leaves %s to whom it belongs',
    (name) => {
      expect(read({ [name]: '3' }).problems).toEqual([]);
    },
  );

  it('takes an empty value for none, and says so', () => {
    const { overrides, problems } = read({ RETRY_MAX_ATTEMPTS: '' }, 'RETRY_MAX_ATTEMPTS=4');
    expect(overrides.map(({ value }) => value)).toEqual([4]);
    expect(problems).toMatchObject([{ severity: 'warning', code: 'empty_variable' }]);
  });
});
