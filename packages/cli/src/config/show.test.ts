import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const FILE = `version: "1.1.0"
global_defaults:
  jitter_type: full
  jitter_amount: 1
policies:
  orders:
    name: Orders
    max_attempts: 4
    backoff_type: fixed
    base_delay: 0.5
    max_delay: 2
subsystem_mappings:
  shop:
    orders: orders
`;

async function show(...args: string[]) {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': FILE });
  return runMain(['config', 'show', ...args], { directory });
}

test('what was set, each value once, with its line', async () => {
  const { exitCode, stdout } = await show('--json');
  expect(exitCode).toBe(0);
  const { file, version, values } = JSON.parse(stdout);
  expect({ file, version }).toEqual({ file: 'redrive.yaml', version: '1.1.0' });
  const lines = values.map((each: Record<string, unknown>) => [each.path, each.value, each.where]);
  expect(lines).toEqual([
    ['global_defaults.jitter_type', 'full', 'redrive.yaml:3'],
    ['global_defaults.jitter_amount', 1, 'redrive.yaml:4'],
    ['policies.orders.name', 'Orders', 'redrive.yaml:7'],
    ['policies.orders.max_attempts', 4, 'redrive.yaml:8'],
    ['policies.orders.backoff_type', 'fixed', 'redrive.yaml:9'],
    ['policies.orders.base_delay', 0.5, 'redrive.yaml:10'],
    ['policies.orders.max_delay', 2, 'redrive.yaml:11'],
    ['subsystem_mappings.shop.orders', 'orders', expect.stringContaining('redrive.yaml')],
  ]);
});

test('--effective: every value of every policy, with where it came from', async () => {
  const { stdout } = await show('--effective', '--json');
  const { values } = JSON.parse(stdout);
  const find = (path: string) => values.find((each: { path: string }) => each.path === path);
  expect(find('policies.orders.jitter_type')).toMatchObject({ value: 'full', source: 'file' });
  expect(find('policies.orders.ttl')).toMatchObject({ value: null, source: 'default' });
  expect(find('policies.runs.default.max_delay')).toMatchObject({ value: 3600, source: 'preset' });
  expect(find('global_defaults.name')).toBeUndefined();
  expect(find('policies.orders.id')).toBeUndefined();
  for (const { path, source, where } of values) {
    expect(['flag', 'environment', 'file', 'preset', 'default'], path).toContain(source);
    expect(where, path).not.toBe('');
  }
});

test('for people: a block for each policy', async () => {
  const { stdout } = await show();
  expect(stdout).toContain(`
policies.orders
  name          Orders  redrive.yaml:7
  max_attempts  4       redrive.yaml:8
  backoff_type  fixed   redrive.yaml:9
  base_delay    0.5 s   redrive.yaml:10
  max_delay     2 s     redrive.yaml:11
`);
});

test('with the presets alone there is nothing set', async () => {
  const { stdout } = await runMain(['config', 'show'], {
    directory: scratchDirectory(onTestFinished),
  });
  expect(stdout).toContain('Nothing was set');
});

test('the password of a store is not shown', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"
store: { url: "postgres://me:secret@host/db" }
jobs: { handlers: { dump: { command: ["psql", "postgres://me:secret@other/db"], idempotent: true } } }
`,
  });
  for (const args of [[], ['--json'], ['--effective', '--json']]) {
    const { stdout } = await runMain(['config', 'show', ...args], { directory });
    expect(stdout).toContain('postgres://***@host/db');
    expect(stdout).toContain('postgres://***@other/db');
    expect(stdout).not.toContain('secret');
  }
});

const CHANNEL = 'https://hooks.example/services/T0/secret-path?x=secret-too';

test.each([
  ['a valid file', `channels: { pager: { url: "${CHANNEL}" } }`],
  ['a faulty channel', `channels: { pager: { url: "${CHANNEL}", command: [a] } }`],
  ['an unknown key behind the address', `channels: { pager: { url: "${CHANNEL}", ulr: 1 } }`],
  ['a list', `channels: { pager: { url: ["${CHANNEL}"] } }`],
  ['text that is no YAML', `channels: { pager: { url: "${CHANNEL}" ] }`],
  ['without TLS', `channels: { pager: { url: "${CHANNEL.replace('https', 'http')}" } }`],
  ['a command', `channels: { pager: { command: [curl, "${CHANNEL}"] } }`],
])('the path of a webhook is never printed: %s', async (_, line) => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `${FILE}escalation:\n  ${line}\n`,
  });
  let printed = '';
  for (const command of [
    'config show',
    'config show --effective',
    'config validate',
    'policies explain orders',
  ]) {
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await runMain([...command.split(' '), ...json], { directory });
      printed += stdout + stderr;
    }
  }
  expect(printed).toContain('hooks.example');
  expect(printed).not.toMatch(/secret/);
});

test('a mapping of version 1.0.0 to a policy that the file lacks shows the policy that is used', async () => {
  const text = `version: "1.0.0"
policies: {}
subsystem_mappings:
  browser:
    disk_full: browser_disk_full
`;
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': text });
  const { exitCode, stdout } = await runMain(['config', 'show'], { directory });
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/ +/g, ' ')).toContain(
    '\n browser.disk_full browser_disk_full: not a policy, global_defaults is used redrive.yaml',
  );
});
