import { printable } from '../terminal/printable.ts';
import type { CommandGroup, CommandSpec } from './command-spec.ts';
import { sameLine, sameMeaning } from './synonyms.ts';

type Tree = readonly (CommandGroup | CommandSpec)[];

/** A command line whose first words are those of the tree. */
interface Resolved {
  readonly args: readonly string[];
  /** All words that name a command are in the tree. */
  readonly isKnown: boolean;
  /** The word that no command has, and the commands that somebody may mean by it. Absent: the parser decides. */
  readonly unknown?: UnknownWord;
}

interface UnknownWord {
  readonly word: string;
  /** Whole commands: `dlq requeue`. */
  readonly meant: readonly string[];
  /** The words before it: `dlq`, or nothing. */
  readonly within: string;
}

/** Suggestions beyond this number help nobody. */
const MAX_MEANT = 4;

/**
 * Puts the names of the tree in the place of their aliases (`queue` is `queues`), and `<command> --help` in the place of
 * `help <command>`. A word that is not in the tree is answered with what it means, not only with what is spelt alike.
 */
export function resolveWords(tree: Tree, args: readonly string[]): Resolved {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const word = args[at];
  if (word === undefined) return { args, isKnown: true };
  if (word === 'help') return helpOn(tree, args.toSpliced(at, 1));
  const found = tree.find((each) => isCalled(each, word));
  if (found === undefined) return withMeant(args, word, meantAtTop(tree, word), '');
  const named = args.with(at, found.name);
  const verb = args[at + 1];
  if (!('commands' in found) || verb === undefined || verb.startsWith('-'))
    return { args: named, isKnown: true };
  const command = found.commands.find((each) => isCalled(each, verb));
  if (command !== undefined) return { args: named.with(at + 1, command.name), isKnown: true };
  return withMeant(named, verb, meantIn(found, verb), found.name);
}

/** The parser would answer `nonsense --help` with its general help: it must see that there is no such command. */
function helpOn(tree: Tree, args: readonly string[]): Resolved {
  const resolved = resolveWords(tree, args);
  return resolved.isKnown ? { ...resolved, args: [...resolved.args, '--help'] } : resolved;
}

function withMeant(
  args: readonly string[],
  word: string,
  byMeaning: readonly string[],
  within: string,
): Resolved {
  const same = sameLine(`${within} ${word}`.trim());
  const meant = same.length > 0 ? same : byMeaning;
  const isHelpful = meant.length > 0 && meant.length <= MAX_MEANT;
  return { args, isKnown: false, ...(isHelpful && { unknown: { word, meant, within } }) };
}

/** The parser suggests a name alone; every suggestion is a whole command. */
export function inFull(text: string, path: string): string {
  // It repeats arguments as they are.
  const error = text.split('\n').map(printable).join('\n');
  if (!error.startsWith('error: unknown command')) return error;
  return error.replace(/Did you mean (?:one of )?(.+)\?\)/, (_, names: string) => {
    const commands = names.split(', ').map((name) => `${path} ${name}`);
    return `Did you mean ${commands.join(', or ')}?)`;
  });
}

function isCalled({ name, aliases = [] }: CommandGroup | CommandSpec, word: string): boolean {
  return name === word || aliases.includes(word);
}

/** The commands of a group that mean the same. */
function meantIn({ name, commands }: CommandGroup, word: string): string[] {
  const names = commands.map((each) => each.name);
  return sameMeaning(word)
    .filter((each) => names.includes(each))
    .map((verb) => `${name} ${verb}`);
}

/** A noun that means the same; else every command that has the word as its verb, or one that means the same. */
function meantAtTop(tree: Tree, word: string): string[] {
  const nouns = tree.filter((each) => sameMeaning(word).includes(each.name));
  if (nouns.length > 0) return nouns.map(({ name }) => name);
  const groups = tree.filter((each) => 'commands' in each);
  const exact = groups.filter(({ commands }) => commands.some((each) => isCalled(each, word)));
  if (exact.length > 0) return exact.map(({ name }) => `${name} ${word}`);
  return groups.flatMap((group) => meantIn(group, word));
}

/** The error in the words of the parser, so that all of them read alike. */
export function unknownText({ word, meant, within }: UnknownWord): string {
  const commands = meant.map((each) => `redrive ${each}`).join(', or ');
  const path = within === '' ? 'redrive' : `redrive ${within}`;
  const why = within === '' ? 'for the list of commands' : 'for its commands';
  return `error: unknown command '${word}'\n(Did you mean ${commands}?)\nRun "${path} --help" ${why}.\n`;
}
