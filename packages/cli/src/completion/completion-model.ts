import type { CommandGroup, CommandSpec, OptionSpec } from '../command/command-spec.ts';
import { GLOBAL_OPTIONS, optionsOf } from '../command/common-options.ts';

type Tree = readonly (CommandGroup | CommandSpec)[];

/** A place in a command line, with the words that may follow. */
export interface Place {
  /** The words after `redrive` that lead here, with every name of each: `[['queues', 'queue'], ['pause']]`. */
  readonly path: readonly (readonly string[])[];
  /** Commands, or the values that the first argument takes. */
  readonly words: readonly Suggestion[];
  readonly options: readonly CompletedOption[];
  /** The argument is a file. */
  readonly takesFile: boolean;
}

interface Suggestion {
  readonly word: string;
  readonly about: string;
}

export interface CompletedOption {
  /** `-c` and `--config`. */
  readonly flags: readonly string[];
  readonly about: string;
  /** The kind of value that follows it: nothing, a file, one of some words, or any text. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Every place of the command line, from the data of the commands. */
export function completionPlaces(tree: Tree): readonly Place[] {
  const top: Place = {
    path: [],
    words: [...tree.map(suggestion), { word: 'help', about: 'print the help of a command' }],
    options: [
      ...GLOBAL_OPTIONS.map(completedOption),
      { flags: ['-V', '--version'], about: 'print the version', value: 'none' },
      HELP,
    ],
    takesFile: false,
  };
  return [
    top,
    ...tree.flatMap((each) => ('commands' in each ? groupPlaces(each) : [place(each, [])])),
  ];
}

function groupPlaces(group: CommandGroup): Place[] {
  const own = namesOf(group);
  const words = group.commands.map(suggestion);
  const all = group.commands.map((spec) => place(spec, [own]));
  return [{ path: [own], words, options: [HELP], takesFile: false }, ...all];
}

const HELP: CompletedOption = { flags: ['-h', '--help'], about: 'print the help', value: 'none' };

function place(spec: CommandSpec, before: Place['path']): Place {
  const [argument] = spec.args ?? [];
  return {
    path: [...before, namesOf(spec)],
    words: (argument?.choices ?? []).map((word) => ({ word, about: argument?.summary ?? '' })),
    options: [...optionsOf(spec).map(completedOption), HELP],
    takesFile: /file|directory/.test(argument?.name ?? ''),
  };
}

function completedOption({ flags, summary, choices }: OptionSpec): CompletedOption {
  const [, placeholder] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? [];
  const value =
    placeholder === undefined
      ? 'none'
      : (choices ?? (/file|directory/.test(placeholder) ? 'file' : 'text'));
  return { flags: flags.match(/(?<![\w-])--?[A-Za-z][\w-]*/g) ?? [], about: summary, value };
}

function suggestion({ name, summary }: CommandGroup | CommandSpec): Suggestion {
  return { word: name, about: summary };
}

function namesOf({ name, aliases = [] }: CommandGroup | CommandSpec): readonly string[] {
  return [name, ...aliases];
}
