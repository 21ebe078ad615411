import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { deadLetters } from '../testing/dead-letters.ts';
import { runMain } from '../testing/run-main.ts';

const START_MS = Date.parse('2026-01-29T12:00:00Z');

async function setUp() {
  const clock = virtualClock({ startMs: START_MS });
  const { store } = await deadLetters(clock, 3);
  const run = (args: string) =>
    runMain(['metrics', 'show', ...args.split(' ').filter(Boolean)], { store, clock });
  return { clock, run };
}

test('metrics show prints what ended in the last day, from the audit log', async () => {
  const { run } = await setUp();
  const { exitCode, stdout } = await run('--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    time_window_start: expect.stringMatching(/^2026-01-28T12:00:/),
    total_sessions: 3,
    successful_sessions: 0,
    failed_sessions: 3,
    by_subsystem: { import: { sessions: 3, success_rate: 0 } },
  });
});

test('for people it is a summary and a table, by policy or by subsystem', async () => {
  const { run } = await setUp();
  expect((await run('--by subsystem')).stdout).toMatch(
    /^3 sessions from .*\n {2}succeeded +0 \(0\.0 %\)\n {2}given up +3\n[\s\S]*\nsubsystem +sessions.*\n(-.*\n)?import +3 +3 +0\.0 %/,
  );
  expect((await run('')).stdout).toMatch(/\npolicy +sessions/);
});

test('a window without sessions says so; a window that ends before it begins is refused', async () => {
  const { run } = await setUp();
  expect((await run('--until 2026-01-29T12:00:00Z')).stdout).toMatch(/^No sessions ended from /);
  expect(await run('--since 1h --until 2h')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--since must be before --until.'),
  });
});
