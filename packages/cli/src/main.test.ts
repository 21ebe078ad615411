import { expect, test } from 'vitest';
import { main } from './main.ts';

async function run(...args: string[]) {
  let stdout = '';
  let stderr = '';
  const exitCode = await main(args, {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
  });
  return { exitCode, stdout, stderr };
}

test('--version prints the version and nothing else', async () => {
  expect(await run('--version')).toEqual({ exitCode: 0, stdout: '0.1.0\n', stderr: '' });
});

test('--help lists the commands on stdout', async () => {
  const { exitCode, stdout, stderr } = await run('--help');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage: redrive');
  expect(stdout).toContain('demo');
  expect(stderr).toBe('');
});

test('no command at all is wrong usage, with the help on stderr', async () => {
  const { exitCode, stdout, stderr } = await run();
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('Usage: redrive');
});

test('an unknown command is wrong usage, with a suggestion', async () => {
  const { exitCode, stdout, stderr } = await run('dmeo');
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain("unknown command 'dmeo'");
  expect(stderr).toContain('Did you mean demo?');
});

test('an unknown option is wrong usage, with a suggestion', async () => {
  const { exitCode, stderr } = await run('--versoin');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Did you mean --version?');
});
