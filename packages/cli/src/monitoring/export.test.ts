import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const deploy = join(import.meta.dirname, '../../../../deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');

function setUp() {
  const directory = scratchDirectory(onTestFinished, {});
  const run = (line: string) => runMain(line.split(' '), { directory });
  return { directory, run };
}

test('redrive alerts export prints the rules, redrive dashboard export a dashboard', async () => {
  const { run } = setUp();
  expect((await run('alerts export')).stdout).toBe(read('prometheus/alerts/retry_policy.yml'));
  expect((await run('alerts export alertmanager')).stdout).toBe(
    read('alertmanager/alertmanager.yml'),
  );
  expect((await run('dashboard export')).stdout).toBe(read('grafana/redrive.json'));
  expect((await run('dashboard export retry-policy-monitoring')).stdout).toBe(
    read('grafana/retry-policy-monitoring.json'),
  );
});

test('--to writes all files, which other users may read; a file that exists stays without --force', async () => {
  const { directory, run } = setUp();
  expect(await run('alerts export --to out --json')).toMatchObject({ exitCode: 0 });
  expect(await run('dashboards export --to out')).toMatchObject({
    exitCode: 0,
    stderr: 'Wrote out/redrive.json and out/retry-policy-monitoring.json.\n',
  });
  const files = ['alertmanager.yml', 'redrive.json', 'retry-policy-monitoring.json'];
  expect(readdirSync(join(directory, 'out')).sort()).toEqual([...files, 'retry_policy.yml']);
  expect(statSync(join(directory, 'out/redrive.json')).mode & 0o444).toBe(0o444);
  expect(await run('dashboards export redrive --to out')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('out/redrive.json exists and was left as it is.'),
  });
  expect((await run('dashboards export redrive --to out --force')).exitCode).toBe(0);
});

test('--grafana-url is in every link to a dashboard, and nothing but a URL is taken', async () => {
  const { run } = setUp();
  const { stdout } = await run('alerts export --grafana-url https://grafana.example.com/base/');
  const urls = [...stdout.matchAll(/dashboard_url: (.*)/g)].map(([, url]) => url);
  expect(urls.length).toBeGreaterThan(20);
  for (const url of urls)
    expect(url).toMatch(/^https:\/\/grafana\.example\.com\/base\/d\/redrive(-documents)?$/);
  expect((await run('alerts export --grafana-url javascript:x')).exitCode).toBe(2);
  expect((await run('dashboards export nothing')).exitCode).toBe(2);
});
