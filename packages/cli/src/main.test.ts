import { describe, expect, test } from 'vitest';
import { runMain } from './testing/run-main.ts';

test('--version prints the version and nothing else', async () => {
  const expected = { exitCode: 0, stdout: '0.1.0\n', stderr: '' };
  expect(await runMain(['--version'])).toEqual(expected);
  expect(await runMain(['-V'])).toEqual(expected);
});

test('--help lists the commands on stdout', async () => {
  const { exitCode, stdout, stderr } = await runMain(['--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage: redrive');
  for (const command of ['start', 'status', 'jobs', 'queues', 'config', 'policies'])
    expect(stdout).toContain(`\n  ${command}`);
  expect(stderr).toBe('');
});

test('the help of a command has its arguments, options, examples and exit codes', async () => {
  const { exitCode, stdout } = await runMain(['policy', 'diff', '--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage: redrive policies diff [options] <a> <b>');
  expect(stdout).toContain('--config <file>');
  expect(stdout).toContain('Examples:\n  redrive policies diff KV_GET KV_PUT');
  expect(stdout).toMatch(/Exit codes:\n {4}0 {2}done\n(.*\n)* {4}9 {2}the policies differ/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

describe('wrong usage ends with 2, says so on stderr, and points to the help', () => {
  test.each<[string[], RegExp]>([
    [[], /Usage: redrive/],
    [['config'], /Usage: redrive config/],
    [
      ['stauts'],
      /unknown command 'stauts'\n\(Did you mean redrive status\?\)\nRun "redrive --help"/,
    ],
    [['--versoin'], /Did you mean --version\?/],
    [
      ['policy', 'explian'],
      /Did you mean redrive policies explain\?.*\nRun "redrive policies --help"/,
    ],
    [['policy', 'list', '--jsno'], /Did you mean --json\?.*\nRun "redrive policies list --help"/],
    [['policy', 'explain'], /missing required argument 'policy'/],
    [['policy', 'list', 'extra'], /too many arguments/],
    [['policy', 'plot', 'KV_GET', '--scale', 'cubic'], /Allowed choices are auto, linear, log/],
    [['config', 'migrate', '--write', '--dry-run'], /cannot be used with option/],
  ])('%j', async (args, message) => {
    const { exitCode, stdout, stderr } = await runMain(args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  });
});

describe('a command that fails', () => {
  test('says what happened and what to do, on stderr', async () => {
    const { exitCode, stdout, stderr } = await runMain(['policy', 'show', 'KV_GTE']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/^redrive: No policy.*"KV_GTE"\.\nDid you mean/);
  });

  test('says the same as JSON with --json', async () => {
    const { stdout, stderr } = await runMain(['policy', 'show', 'KV_GTE', '--json']);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'no_match',
        message: expect.stringContaining('KV_GTE'),
        hint: expect.stringContaining('Did you mean'),
      },
    });
  });
});
