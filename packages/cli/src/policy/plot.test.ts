import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type RunOptions, runMain } from '../testing/run-main.ts';

async function plot(args: string[], options: RunOptions = {}) {
  const { exitCode, stdout, stderr } = await runMain(['policy', 'plot', ...args], options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}
const widest = (lines: string[]) => Math.max(...lines.map((line) => line.length));

test('solid is shortest wait, shaded is jitter', async () => {
  expect(await plot(['NATS_CONNECT'])).toEqual([
    '       RETRY_NATS_CONNECT',
    '       5 attempts, 15 s',
    '       jitter ±10 %',
    '10 s ┤',
    '     │                         ░░░░░░',
    ' 8 s ┤                         ▂▂▂▂▂▂',
    '     │                         ██████',
    ' 6 s ┤                         ██████',
    '     │                 ░░░░░░  ██████',
    ' 4 s ┤                 ▅▅▅▅▅▅  ██████',
    '     │         ░░░░░░  ██████  ██████',
    ' 2 s ┤         ▆▆▆▆▆▆  ██████  ██████',
    '     │ ▇▇▇▇▇▇  ██████  ██████  ██████',
    '   0 └─────────────────────────────────',
    '         2       3       4       5',
    '         1s      2s      4s      8s',
    '',
    '█ shortest wait   ░ added by jitter',
  ]);
});

describe('it fits', () => {
  test.each([40, 60, 80, 120, 200])('%d columns', async (columns) => {
    const names = ['NATS_CONNECT', 'events.default', 'runs.default', 'documents.chunks', 'KV_GET'];
    const lines = await plot(names, { env: { COLUMNS: String(columns) } });
    expect(widest(lines)).toBeLessThanOrEqual(columns);
    for (const id of ['RETRY_NATS_CONNECT', 'events.default', 'runs.default', 'documents.chunks']) {
      expect(lines.some((line) => line.includes(id))).toBe(true);
    }
  });
});

test('policies stand side by side where there is room', async () => {
  const lines = await plot(['NATS_CONNECT', 'events.default']);
  expect(lines[0]).toMatch(/^ +RETRY_NATS_CONNECT +events\.default$/);
  expect(lines.at(-1)).toContain('log scale');
});

test('ASCII where the locale is not UTF-8, and where it is asked for', async () => {
  const expected = await plot(['events.default', '--ascii']);
  expect(await plot(['events.default'], { env: { LANG: 'C' } })).toEqual(expected);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII.
  expect(expected.join('\n')).toMatch(/^[\x00-\x7f]+$/);
  expect(expected.join('\n')).toContain('::');
});

test('colours on a terminal only', async () => {
  const stream = { isTTY: true, columns: 80, hasColors: () => true };
  expect((await plot(['KV_GET'], { stream })).join('')).toContain('\x1b[36m');
  expect((await plot(['KV_GET'])).join('')).not.toContain('\x1b');
});

test('a policy without waits says so', async () => {
  expect((await plot(['REPLAY_PROCESSING'])).join('\n')).toContain('one attempt, no waits');
});

test('as JSON: the scale and the waits', async () => {
  const { stdout } = await runMain(['policy', 'plot', 'KV_GET', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    scale: 'linear',
    policies: [
      {
        ...{ id: 'RETRY_KV_GET', enabled: true, max_attempts: 3 },
        ...{ jitter_type: 'proportional', jitter_amount: 0.1, total_nominal_ms: 1500 },
        delays_ms: [
          { attempt: 2, nominal: 500, min: 450, max: 550 },
          { attempt: 3, nominal: 1000, min: 900, max: 1100 },
        ],
      },
    ],
  });
});

test('the page about jitter shows what it draws', async () => {
  const page = readFileSync(
    new URL('../../../../docs/reference/jitter.md', import.meta.url),
    'utf8',
  );
  const lines = await plot(['NATS_CONNECT', 'events.default']);
  expect(page).toContain(`\n${lines.join('\n')}\n`);
});
