import { CATEGORY_POLICIES } from '@redrive/core/manager';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

async function explained(name: string) {
  const { exitCode, stdout, stderr } = await runMain(['policy', 'explain', name, '--json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}
const nominal = ({ delays_ms }: { delays_ms: { nominal: number }[] }) =>
  delays_ms.map((delay) => delay.nominal);

/** The retry categories as they were specified, copied by hand: attempts, base and cap in milliseconds. */
const SPECIFIED: Record<string, [attempts: number, baseMs: number, capMs: number]> = {
  RETRY_NATS_CONNECT: [5, 1000, 30000],
  RETRY_NATS_PUBLISH: [3, 500, 10000],
  RETRY_NATS_SUBSCRIBE: [3, 500, 10000],
  RETRY_NATS_STREAM_CREATE: [2, 2000, 60000],
  RETRY_KV_CREATE: [2, 1000, 30000],
  RETRY_KV_GET: [3, 500, 10000],
  RETRY_KV_PUT: [3, 500, 10000],
  RETRY_KV_DELETE: [2, 1000, 30000],
  RETRY_EXECUTION_INTENT: [2, 2000, 60000],
  RETRY_EXECUTION_CONTAINMENT: [2, 2000, 60000],
  RETRY_EXECUTION_EXPIRATION: [1, 1000, 30000],
  RETRY_APPROVAL_CHECK: [3, 1000, 30000],
  RETRY_APPROVAL_GRANT: [2, 2000, 60000],
  RETRY_REPLAY_PROCESSING: [1, 1000, 30000],
  RETRY_REPLAY_VALIDATION: [2, 1000, 30000],
  RETRY_API_REQUEST: [3, 1000, 30000],
  RETRY_API_VALIDATION: [2, 500, 10000],
};

describe('the presets', () => {
  test('RETRY_NATS_CONNECT: 1, 2, 4, 8 s, each ±10 %', async () => {
    const explanation = await explained('RETRY_NATS_CONNECT');
    expect(explanation).toMatchObject({
      id: 'RETRY_NATS_CONNECT',
      max_attempts: 5,
      total_nominal_ms: 15_000,
      ttl_ms: null,
    });
    expect(explanation.delays_ms).toEqual([
      { attempt: 2, nominal: 1000, min: 900, max: 1100 },
      { attempt: 3, nominal: 2000, min: 1800, max: 2200 },
      { attempt: 4, nominal: 4000, min: 3600, max: 4400 },
      { attempt: 5, nominal: 8000, min: 7200, max: 8800 },
    ]);
  });

  test('there are 17 categories, and these are they', () => {
    expect(Object.keys(CATEGORY_POLICIES).sort()).toEqual(Object.keys(SPECIFIED).sort());
  });

  test.each(Object.entries(SPECIFIED))(
    '%s is as it was specified',
    async (code, [attempts, baseMs, capMs]) => {
      const explanation = await explained(code);
      const waits = Array.from({ length: attempts - 1 }, (_, n) =>
        Math.min(baseMs * 2 ** n, capMs),
      );
      expect(explanation.max_attempts).toBe(attempts);
      expect(nominal(explanation)).toEqual(waits);
      const { stdout } = await runMain(['policy', 'list', '--json']);
      const listed = JSON.parse(stdout).policies.find(({ id }: { id: string }) => id === code);
      expect(listed).toMatchObject({ base_delay_ms: baseMs, max_delay_ms: capMs });
    },
  );

  test.each([
    ['events.default', 8, [250, 500, 1000, 2000, 4000, 8000, 16_000]],
    ['runs.default', 8, [60, 120, 240, 480, 960, 1920, 3600].map((s) => s * 1000)],
    ['documents.chunks', 5, [0, 10, 20, 40].map((minutes) => minutes * 60_000)],
  ])('%s', async (name, attempts, waits) => {
    const explanation = await explained(name);
    expect(explanation.max_attempts).toBe(attempts);
    expect(nominal(explanation)).toEqual(waits);
    expect(explanation.delays_ms[0].attempt).toBe(2);
  });
});

test('for people: a table, and a sentence on when it gives up', async () => {
  const { stdout } = await runMain(['policy', 'explain', 'NATS_CONNECT']);
  expect(stdout).toBe(`RETRY_NATS_CONNECT
Connection establishment
5 attempts, exponential x2, jitter ±10 %

  attempt  nominal   least   most  starts after
        1                                     0
        2      1 s  900 ms  1.1 s           1 s
        3      2 s   1.8 s  2.2 s           3 s
        4      4 s   3.6 s  4.4 s           7 s
        5      8 s   7.2 s  8.8 s          15 s

It gives up when attempt 5 fails, after about 15 s of waiting.
`);
});

test('for people: an unmapped path says what it fell back to', async () => {
  const { stdout } = await runMain(['policy', 'explain', 'events.shipping']);
  expect(stdout).toMatch(/^events\.default.*\nfound by .*events/);
  expect(stdout).toContain('An error that no rule knows is final');
});

test('a path that nothing is mapped to, but nearly, draws a question on stderr', async () => {
  const directory = scratchDirectory(onTestFinished);
  await runMain(['config', 'init'], { directory });
  const args = ['policy', 'explain', 'browser.state_operations.timeut', '--json'];
  const { exitCode, stdout, stderr } = await runMain(args, { directory });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).matched_by).toBe('global_defaults');
  expect(stderr).toContain('Did you mean "browser.state_operations.timeout"?');
});

test('a path that is mapped to a policy that does not exist says so, and which default is used', async () => {
  const yaml = `version: "1.0.0"
policies:
  disk: { name: Disk, max_attempts: 5, backoff_type: fixed, base_delay: 1.0, max_delay: 10.0 }
subsystem_mappings: { browser: { state_operations: { timeout: disk, disk_full: browser_disk_full } } }
`;
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': yaml });
  const name = 'browser.state_operations.disk_full';
  const { exitCode, stdout, stderr } = await runMain(['policies', 'explain', name], { directory });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `"${name}" is mapped to "browser_disk_full", which is not a policy: a default is used.\n`,
  });
  expect(stdout).toContain('found by global_defaults');
});

test('a policy in layers says the product of attempts and calls', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml':
      'version: "1.1.0"\nload: { search: { utilisation: 0.01, layers: [runs.default, RETRY_KV_GET, RETRY_KV_DELETE] } }\n',
  });
  const run = (name: string, ...more: string[]) =>
    runMain(['policy', 'explain', name, ...more], { directory });
  const text =
    'Calls to search through runs.default, RETRY_KV_GET, RETRY_KV_DELETE: 8 attempts of at most 3 calls each: 24 calls in 2 h 3 min at worst.';
  for (const name of ['runs.default', 'KV_GET', 'KV_DELETE']) {
    expect((await run(name)).stdout.replaceAll('\n', ' ')).toContain(text);
  }
  expect((await run('KV_PUT')).stdout).not.toContain('at worst');
  const { worst_cases } = JSON.parse((await run('runs.default', '--json')).stdout);
  // Each wait as long as jitter allows: 60 s to 1 h without jitter; 0.5 + 1 s and 1 s, each up to 10 % more, 8 times.
  expect(worst_cases).toEqual([
    {
      dependency: 'search',
      layers: ['runs.default', 'RETRY_KV_GET', 'RETRY_KV_DELETE'],
      attempts: 8,
      calls_per_attempt: 3,
      calls: 24,
      waits_max_ms: 7_380_000 + 8 * (1_650 + 1_100),
      text: '8 attempts of at most 3 calls each: 24 calls in 2 h 3 min at worst',
    },
  ]);
});
