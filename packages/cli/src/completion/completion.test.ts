import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { SHELLS, type Shell } from './completion-model.ts';

/** bash is everywhere; of the others, those that this machine has. */
const INSTALLED = SHELLS.filter((shell) => spawnSync(shell, ['--version']).status === 0);

/** What the shell itself offers after these words, the last of which is not finished. */
const ASK: Readonly<Record<Shell, (file: string, line: string) => readonly string[]>> = {
  bash: (file, line) => [
    '-c',
    `source '${file}'; COMP_WORDS=(${line.replace(/ $/, " ''")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _redrive; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Its functions run only within a completion: these two stand for what prints the list.
  zsh: (file, line) => [
    '-fc',
    `compdef() { :; }
     _describe() { local name=\${@[-1]}; print -l -- \${\${(P)name}%%:*}; }
     _files() { print -l -- *(N); }
     compadd() { shift; print -l -- "$@"; }
     source '${file}'; words=(${line.replace(/ $/, " ''")}); CURRENT=$#words; _redrive`,
  ],
  fish: (file, line) => ['--no-config', '-c', `source '${file}'; complete -C '${line}'`],
};

async function completer(shell: Shell) {
  const { stdout, exitCode } = await runMain(['completion', shell]);
  expect(exitCode).toBe(0);
  const directory = scratchDirectory(onTestFinished, { script: stdout, 'images.jsonl': '' });
  const script = join(directory, 'script');
  return (line: string): string[] => {
    const args = ASK[shell](script, line);
    const text = execFileSync(shell, args, { cwd: directory, encoding: 'utf8' });
    const last = line.split(' ').at(-1) ?? '';
    const words = text.split('\n').map((each) => each.split('\t')[0] ?? '');
    return [...new Set(words)].filter((word) => word !== '' && word.startsWith(last)).sort();
  };
}

test('bash is among the shells', () => expect(INSTALLED).toContain('bash'));

test.each(INSTALLED)(
  '%s completes commands, options and values',
  { timeout: 60_000 },
  async (shell) => {
    const complete = await completer(shell);
    expect(complete('redrive ')).toEqual([...COMMAND_TREE.map(({ name }) => name), 'help'].sort());
    expect(complete('redrive dlq res')).toEqual(['reset', 'restore']);
    expect(complete('redrive --quiet dlq res')).toEqual(['reset', 'restore']);
    expect(complete('redrive help queues p')).toEqual(['pause']);
    // The singular leads to the same.
    expect(complete('redrive queue ')).toEqual(complete('redrive queues '));
    expect(complete('redrive queue pause --h')).toEqual(['--handler', '--help']);
    expect(complete('redrive jobs list --js')).toEqual(['--json', '--jsonl']);
    expect(complete('redrive jobs list --state de')).toEqual(['dead']);
    expect(complete('redrive kill engage ')).toEqual(['all', 'handler', 'queue', 'tenant']);
    expect(complete('redrive completion z')).toEqual(['zsh']);
    expect(complete('redrive jobs enqueue resize --from im')).toEqual(['images.jsonl']);
    // A value that nobody knows beforehand: neither commands nor files.
    expect(complete('redrive jobs list --reason ')).toEqual([]);
  },
);

test('every command is completed in every shell', async () => {
  for (const shell of SHELLS) {
    const { stdout } = await runMain(['completion', shell]);
    for (const each of COMMAND_TREE) {
      const names = 'commands' in each ? each.commands.map(({ name }) => name) : [each.name];
      for (const name of names) expect(stdout, shell).toContain(name);
    }
  }
});

test('another shell is refused', async () => {
  const { exitCode, stdout, stderr } = await runMain(['completion', 'tcsh']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('There is one for bash, zsh, fish.');
});
