import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Texts that a shell would run, expand or split if they were not quoted, or if their quotes were closed. */
const CORES = [
  ...['Mq;touch x', 'Mq|touch x', 'Mq&touch x', 'Mq&&touch x', '$(touch x)', '`touch x`', 'Mq>x'],
  ...["Mq';touch x;'", "'Mq;touch x", 'Mq";touch x;"', "Mq\\';touch x;'", "$'Mq';touch x", '\\'],
  ...["'", '"', '$HOME', '~', '~root', '*', '?Q', '[A-Z]', '{aQ,bQ}', '!!', '!Mq', '#Mq', '=Mq'],
  ...['--All', '--Yes', '-y', '-', '--', '--tenant=B', '@Args', '%PATH%', '(touch x)', 'Mq  x'],
  ...[
    'Mq\u202ex',
    '\u200bQ',
    '\u00a0Q',
    '\u2028touch x',
    "\u202e';touch x;'",
    '\u200f\\',
    'Ä',
    '猫',
  ],
  ...['Mq\u00a0;touch\u00a0x', 'Mq"; touch x #', 'Mq. Then', 'Mq: x', 'Mq, x'],
  ...['Mq<x', '$' + '{HOME}', '$((1+1))', 'Mq\u2019;touch x', '&touch x&'],
];
const AFFIXES = ['', 'Aq', ' ', '-'];

/** More than 200 names for ids, tenants, queues and the like. */
export const HOSTILE_NAMES: readonly string[] = [
  ...new Set(
    AFFIXES.flatMap((affix, at) => CORES.map((core) => (at % 2 ? core + affix : affix + core))),
  ),
];

/** A word of a command line as a POSIX shell reads it, unquoted characters and quoted parts. */
const WORD = String.raw`(?:'[^']*'|\\'|[^\s'"])+`;
const COMMAND = new RegExp(String.raw`(?<=^|[\s"(])redrive(?: ${WORD})+`, 'gm');

/** The commands in a text, as a person would select them: to the end of the line or the sentence, or between quotation marks. */
export function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(COMMAND)].map(([command]) => {
    const words = command.match(new RegExp(WORD, 'g')) ?? [];
    const end = words.findIndex(
      (word) => /[a-z0-9'][.,:;)]+$/.test(word) && !word.startsWith('--'),
    );
    const kept = end === -1 ? words : words.slice(0, end + 1);
    return kept.join(' ').replace(/[.,:;)]+$/, '');
  });
}

/**
 * Runs each command in bash, where `redrive` is a function that records its arguments.
 *
 * @returns the arguments of each. @throws Error if a part of a command was run, expanded or not understood.
 */
export function pastedArguments(commands: readonly string[]): readonly (readonly string[])[] {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-paste-'));
  try {
    // Patterns that are not quoted find these names.
    for (const name of ['EXPANDED', 'EQ', 'E']) writeFileSync(join(directory, name), '');
    writeFileSync(
      join(directory, '.stub'),
      `redrive() { for a; do printf '%s\\0' "$a"; done >> .args; }\n`,
    );
    const lines = commands.map((command) => `${command}\nprintf '\\n\\0' >> .args\n`);
    writeFileSync(join(directory, '.lines'), lines.join(''));
    const run = spawnSync('bash', ['-c', 'set -H; . ./.stub; . ./.lines'], {
      cwd: directory,
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (run.status !== 0 || run.stderr !== '') throw new Error(`bash: ${run.status} ${run.stderr}`);
    if (existsSync(join(directory, 'x'))) throw new Error('A part of a command was run.');
    const recorded = readFileSync(join(directory, '.args'), 'utf8').split('\n\0').slice(0, -1);
    return recorded.map((each) => each.split('\0').slice(0, -1));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A command, an option, a number, a time or a generated id; `…` is a value that was not given yet. */
const PLAIN_WORD =
  /^(?:--|…|-[a-z]|--[a-z-]+|(?:--[a-z-]+=)?[a-z0-9][a-z0-9.,/:_@…-]*|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/**
 * The problems of the arguments of commands that a hint printed: each must be a plain word or exactly one of the planted
 * names, and a name that looks like an option must not be read as one.
 */
export function mistakenArguments(
  all: readonly (readonly string[])[],
  planted: readonly string[],
): readonly string[] {
  return all.flatMap((words) =>
    words.flatMap((word, at) => {
      const shown = JSON.stringify(words);
      if (planted.includes(word)) {
        const isValue = /^--[a-z-]+$/.test(words[at - 1] ?? '');
        const end = words.indexOf('--');
        const isSafe = !word.startsWith('-') || isValue || (end !== -1 && end <= at);
        return isSafe ? [] : [`${word} is read as an option: ${shown}`];
      }
      return PLAIN_WORD.test(word) ? [] : [`${word} is no name that was planted: ${shown}`];
    }),
  );
}
