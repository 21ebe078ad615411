import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandText, shellWord } from '@redrive/core/fields';
import { final, jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** What each would run if it came into a shell unquoted, or with its quotes ended. */
const CORES = [
  ...['m;touch x', 'm|touch x', 'm&touch x', 'm&&touch x', '$(touch x)', '`touch x`', 'm>x'],
  ...["m';touch x;'", "'m;touch x", 'm";touch x;"', "m\\';touch x;'", "$'m';touch x", '\\', "'"],
  ...['"', '$HOME', '~', '~root', '*', '?', '[a-z]', '{a,b}', '!!', '!m', '#m', '=ls'],
  ...['--all', '--yes', '-y', '-', '--', '--tenant=b', '@args', '%PATH%', '(touch x)', 'm x', ' '],
  ...['m\u202ex', '\u200b', '\u00a0', '\u2028touch x', "\u202e';touch x;'", '\u200f\\', 'ä', '猫'],
];
const AFFIXES = ['', 'a', ' ', "'", '-'];
const NAMES = AFFIXES.flatMap((affix, at) =>
  CORES.map((core) => (at % 2 === 0 ? affix + core : core + affix)),
).filter((name, at, all) => all.indexOf(name) === at);

/** Runs lines in a shell in which `redrive` records its arguments. Returns them for each line. */
function pasted(lines: readonly string[]): readonly (readonly string[])[] {
  const directory = scratchDirectory(onTestFinished, {
    stub: `redrive() { for a; do printf '%s\\0' "$a"; done >> args; }\n`,
    lines: lines.map((line) => `${line}\nprintf '\\n\\0' >> args\n`).join(''),
  });
  const run = spawnSync('bash', ['-c', '. ./stub; . ./lines'], {
    cwd: directory,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([run.status, run.stderr]).toEqual([0, '']);
  expect(existsSync(join(directory, 'x'))).toBe(false);
  const recorded = readFileSync(join(directory, 'args'), 'utf8').split('\n\0');
  return recorded.slice(0, -1).map((each) => each.split('\0').slice(0, -1));
}

test('a word of every hostile name comes out of a shell as it went in', () => {
  expect(NAMES.length).toBeGreaterThan(200);
  const lines = NAMES.map((name) => `redrive ${shellWord(name, 'posix')}`);
  expect(pasted(lines)).toEqual(NAMES.map((name) => [name]));
  // A list, an option and an argument.
  const more = NAMES.map((name) => commandText`redrive a b --tenant ${name} ${[name, 'c']}`);
  expect(pasted(more)).toEqual(
    NAMES.map((name) => [
      ...['a', 'b', '--tenant', name],
      ...(name.startsWith('-') ? ['--'] : []),
      ...[name, 'c'],
    ]),
  );
});

test('dash, which has no escapes in quotes, runs no part of a name', () => {
  const directory = scratchDirectory(onTestFinished, {
    lines: NAMES.map((name) => `printf %s ${shellWord(name, 'posix')} >> out\n`).join(''),
  });
  spawnSync('dash', ['./lines'], { cwd: directory, timeout: 60_000 });
  expect(existsSync(join(directory, 'x'))).toBe(false);
});

test('in PowerShell every kind of its quotes is doubled, and hidden characters are numbers', () => {
  expect(shellWord("it's", 'powershell')).toBe("'it''s'");
  expect(shellWord('a\u2019;calc', 'powershell')).toBe("'a\u2019\u2019;calc'");
  expect(shellWord("a\u202e'b", 'powershell')).toBe("('a'+[char]0x202e+'''b')");
});

test('every command that is printed about a job with hostile names has those names as arguments', async () => {
  const clock = virtualClock({ startMs: Date.parse('2027-01-31T08:00:00Z') });
  const store = memoryStore({ clock });
  const fails = () => final('no');
  const handlers = Object.fromEntries(NAMES.map((name) => [name, fails]));
  const queues = NAMES;
  const jobs = jobsOn(store, handlers, { log: 'off', clock, queues });
  const ids: [string, string][] = [];
  for (const name of NAMES) {
    const { id } = await jobs.enqueue(name, {}, { id: name, queue: name, tenant: name });
    ids.push([name, id]);
  }
  await jobs.start();
  await clock.advance(60_000);
  await jobs.stop();
  const stream = { isTTY: true, columns: 10_000 };
  const run = (...args: string[]) =>
    runMain(args, { store, clock, stream, env: { NO_COLOR: '1' } });
  for (const [name, id] of ids) {
    const outputs = await Promise.all([
      run('dlq', 'show', '--', id),
      run('jobs', 'show', '--', id),
      run('kill', 'engage', '--', 'tenant', name),
      run('kill', 'engage', '--', 'handler', name),
    ]);
    const text = outputs.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n');
    // A description is two blanks behind its command; a name has no two blanks in a row unless it is quoted.
    const commands = [...text.matchAll(/(?:^ {2}|: )(redrive (?:dlq|jobs|kill) .*)$/gm)]
      .map(([, command = '']) => command.replace(/ {2,}(?:run it|delete it|all \d).*$/, ''))
      .filter((command) => !command.includes('--group'));
    const ended = pasted(commands).map((args) => args.at(-1));
    expect(ended).toEqual([id, id, id, id, name, name]);
  }
}, 300_000);
