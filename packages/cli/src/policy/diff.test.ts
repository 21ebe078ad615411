import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

test('two policies that do the same are equal, whatever they are called', async () => {
  expect(await runMain(['policy', 'diff', 'KV_GET', 'KV_PUT'])).toEqual({
    exitCode: 0,
    stdout: 'RETRY_KV_GET and RETRY_KV_PUT do the same.\n',
    stderr: '',
  });
});

test('differing fields and waits, and 9', async () => {
  const { exitCode, stdout } = await runMain(['policy', 'diff', 'NATS_PUBLISH', 'API_REQUEST']);
  expect(exitCode).toBe(9);
  expect(stdout).toBe(`field       RETRY_NATS_PUBLISH  RETRY_API_REQUEST
base_delay  0.5 s               1 s
max_delay   10 s                30 s

wait      RETRY_NATS_PUBLISH         RETRY_API_REQUEST
before 2  500 ms (450 ms to 550 ms)  1 s (900 ms to 1.1 s)
before 3  1 s (900 ms to 1.1 s)      2 s (1.8 s to 2.2 s)
`);
});

test('as JSON: a wait that only one of them has is null in the other', async () => {
  const { exitCode, stdout } = await runMain([
    'policy',
    'diff',
    'KV_DELETE',
    'API_REQUEST',
    '--json',
  ]);
  expect(exitCode).toBe(9);
  expect(JSON.parse(stdout)).toEqual({
    equal: false,
    a: 'RETRY_KV_DELETE',
    b: 'RETRY_API_REQUEST',
    fields: [{ field: 'max_attempts', a: 2, b: 3, unit: null }],
    delays_ms: [{ attempt: 3, a: null, b: { nominal: 2000, min: 1800, max: 2200 } }],
  });
});

test('how unknown errors are taken is a difference too', async () => {
  const { stdout } = await runMain(['policy', 'diff', 'events.default', 'runs.default']);
  expect(stdout).toMatch(/unclassified_errors +final +retryable/);
});

test('people are spared the thousandth wait', async () => {
  const endless =
    'name: x, max_attempts: 999, backoff_type: linear, base_delay: 1, max_delay: 9999';
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"\npolicies:\n  x: { ${endless} }\nsubsystem_mappings: { s: { x: x } }\n`,
  });
  const { stdout } = await runMain(['policy', 'diff', 'x', 'KV_GET'], {
    directory,
    stream: { isTTY: true, columns: 80 },
  });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('and 948 more');
  // A pipe gets every row.
  const piped = await runMain(['policy', 'diff', 'x', 'KV_GET'], { directory });
  expect(piped.stdout).toMatch(/\nbefore 999 .*\n$/);
});

test('a schedule: explain, plot, list and diff have its waits', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"
policies:
  mail: { extends: KV_GET, max_attempts: 4, backoff_type: schedule, delays: [0.2, 5] }
`,
  });
  const run = async (line: string) => (await runMain(line.split(' '), { directory })).stdout;
  const { delays_ms } = JSON.parse(await run('policy explain mail --json'));
  expect(delays_ms.map(({ nominal }: { nominal: number }) => nominal)).toEqual([200, 5000, 5000]);
  expect(await run('policy explain mail')).toContain('4 attempts, schedule of 2, jitter');
  expect(await run('policy plot mail --ascii')).toContain('4 attempts, 10.2 s');
  expect(await run('policy list --plain')).toMatch(/^mail\t4\tschedule\t200ms\t/m);
  const diff = await run('policy diff KV_GET mail');
  expect(diff).toMatch(/\ndelays +\(none\) +0\.2, 5 s\n/);
  expect(diff).toMatch(/\nbefore 2 +500 ms .* +200 ms/);
});
