import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandGroup, CommandSpec } from '../packages/cli/src/command/command-spec.ts';
import { optionsOf } from '../packages/cli/src/command/common-options.ts';
import { COMMAND_TREE } from '../packages/cli/src/command-tree.ts';

// Every command that a page names in `code` exists, with its verb and its options.
const root = dirname(import.meta.dirname);
// Decisions are history, and the reference is made from the commands themselves.
const pages = ['README.md', 'docs/{tutorial,how-to,explanation,reference}/*.md'].flatMap(
  (pattern) => globSync(pattern, { cwd: root, exclude: ['docs/reference/command-line.md'] }),
);

const named = (name: string) => (one: CommandGroup | CommandSpec) =>
  one.name === name || one.aliases?.includes(name) === true;

function problemOf(command: string): string | undefined {
  const [, noun = '', ...rest] = command.split(/\s+/);
  const found = COMMAND_TREE.find(named(noun));
  if (!found) return `there is no command ${noun}`;
  const verb = rest.find((word) => !word.startsWith('-'));
  const spec = 'commands' in found ? found.commands.find(named(verb ?? '')) : found;
  if (!spec) return verb && /^[a-z]/.test(verb) ? `${noun} has no ${verb}` : undefined;
  const known = optionsOf(spec).map(({ flags }) => flags);
  const wrong = rest
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.split('=')[0] ?? '');
  const unknown = wrong.filter((flag) => !known.some((one) => one.split(/[ ,]+/).includes(flag)));
  return unknown.length > 0 ? `${noun} ${spec.name} has no ${unknown.join(', ')}` : undefined;
}

const commands = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/`(redrive [a-z][^`]*)`/g)].map(([, command = '']) => ({
    page,
    command,
  }));
});

test('every command that a page names exists, with its options', () => {
  expect(commands.length).toBeGreaterThan(100);
  const wrong = commands.flatMap(({ page, command }) => {
    const problem = problemOf(command);
    return problem ? [`${page}: \`${command}\`: ${problem}`] : [];
  });
  expect(wrong).toEqual([]);
});
