import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandText, shellWord } from '@redrive/core/fields';
import {
  commandsIn,
  HOSTILE_NAMES,
  mistakenArguments,
  pastedArguments,
} from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';
import { commandsAbout, documentsOf, HOSTILE_CONFIG, storeOf } from '../testing/hostile-place.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

test('a word of every hostile name comes out of a shell as it went in', () => {
  expect(HOSTILE_NAMES.length).toBeGreaterThan(200);
  const lines = HOSTILE_NAMES.map((name) => `redrive ${shellWord(name, 'posix')}`);
  expect(pastedArguments(lines)).toEqual(HOSTILE_NAMES.map((name) => [name]));
  // A list, an option and an argument.
  const more = HOSTILE_NAMES.map(
    (name) => commandText`redrive a b --tenant ${name} ${[name, 'c']}`,
  );
  expect(pastedArguments(more)).toEqual(
    HOSTILE_NAMES.map((name) => [
      ...['a', 'b', '--tenant', name],
      ...(name.startsWith('-') ? ['--'] : []),
      ...[name, 'c'],
    ]),
  );
});

test('the test finds a name that is not quoted, and one that is read as an option', () => {
  const unseen = HOSTILE_NAMES.filter((name) => {
    try {
      const found = commandsIn(`Look at it with: redrive jobs show ${name}`);
      const all = pastedArguments(found);
      return all[0]?.includes(name) && mistakenArguments(all, [name]).length === 0;
    } catch {
      return false;
    }
  });
  // A shell reads a few of them as they are: `=Mq`.
  expect(unseen.length).toBeLessThan(HOSTILE_NAMES.length / 4);
});

test('dash, which has no escapes in quotes, runs no part of a name', () => {
  const directory = scratchDirectory(onTestFinished, {
    lines: HOSTILE_NAMES.map((name) => `printf %s ${shellWord(name, 'posix')} >> out\n`).join(''),
  });
  spawnSync('dash', ['./lines'], { cwd: directory, timeout: 60_000 });
  expect(existsSync(join(directory, 'x'))).toBe(false);
});

/** The commands that name what was planted. */
const NAMED = [
  ...['breakers force-closed', 'breakers show', 'dlq edit', 'dlq purge', 'dlq requeue', 'dlq show'],
  ...['gates release', 'jobs retry', 'jobs show', 'kill release', 'park release', 'queues resume'],
  'schedules resume',
];

test('every command that is printed about a store in which everything has a hostile name has that name as an argument', async () => {
  const mistakes: string[] = [];
  const commandsWith = new Map<string, number>();
  const groups = new Set<string>();
  for (const [at, name] of HOSTILE_NAMES.entries()) {
    const place = await storeOf(name);
    const { store, clock, dead, ready } = place;
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': HOSTILE_CONFIG });
    const documents = documentsOf(name);
    const planted = [name, dead, ready, `breaker:${name}`, `${name}@2027-01-31T01:30:00Z`];
    const lines: { readonly of: string; readonly command: string }[] = [];
    for (const args of commandsAbout(name, place)) {
      const stream = { isTTY: true, columns: at % 2 === 0 ? 40 : 200 };
      {
        const env = { NO_COLOR: '1' };
        const { stdout, stderr } = await runMain(args, {
          store,
          clock,
          directory,
          documents,
          stream,
          env,
        });
        const of = args.filter((word) => !planted.includes(word)).join(' ');
        for (const command of commandsIn(`${stdout}\n${stderr}`)) lines.push({ of, command });
      }
    }
    try {
      const all = pastedArguments(lines.map(({ command }) => command));
      for (const [n, words] of all.entries()) {
        const { of = '', command = '' } = lines[n] ?? {};
        const wrong = mistakenArguments([words], planted);
        mistakes.push(...wrong.map((each) => `${of}: ${each}, of ${command}`));
        if (words.some((word) => planted.includes(word))) {
          groups.add(`${words[0]} ${words[1]}`);
          commandsWith.set(name, (commandsWith.get(name) ?? 0) + 1);
        }
      }
    } catch (error) {
      mistakes.push(`${error} ${JSON.stringify(lines)}`);
    }
  }
  expect(mistakes).toEqual([]);
  const fewest = Math.min(...HOSTILE_NAMES.map((name) => commandsWith.get(name) ?? 0));
  expect(fewest).toBeGreaterThanOrEqual(15);
  expect([...groups].sort()).toEqual(NAMED);
}, 1_200_000);
