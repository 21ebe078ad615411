import type { CommandSpec, JsonField, OptionSpec } from './command-spec.ts';

// One meaning each, in every command that has them.

export const JSON_OPTION: OptionSpec = {
  flags: '--json',
  summary: 'print the result as JSON',
};

export const JSONL_OPTION: OptionSpec = {
  flags: '--jsonl',
  summary: 'print JSON lines: one object per line',
  conflicts: ['json'],
};

export const PLAIN_OPTION: OptionSpec = {
  flags: '--plain',
  summary: 'print rows without titles, tabs between the cells, nothing cut',
  conflicts: ['json', 'jsonl'],
};

export const CONFIG_OPTION: OptionSpec = {
  flags: '-c, --config <file>',
  summary: 'the configuration; else REDRIVE_CONFIG, else ./redrive.yaml, else the presets alone',
};

export const VERBOSE_OPTION: OptionSpec = {
  flags: '-v, --verbose',
  summary: 'say on stderr what is used and done',
};

export const YES_OPTION: OptionSpec = {
  flags: '-y, --yes',
  summary: 'go ahead where the command would refuse, such as overwriting a file',
};

export const DRY_RUN_OPTION: OptionSpec = {
  flags: '-n, --dry-run',
  summary: 'show what would be done, and do nothing',
};

export const STORE_OPTION: OptionSpec = {
  flags: '--store <url>',
  summary:
    "sqlite:<file> or postgres://…; else REDRIVE_STORE, else the configuration's store, else sqlite:./redrive.db",
};

export const REASON_OPTION: OptionSpec = {
  flags: '--reason <text>',
  summary: 'why; it is recorded with who did it',
};

export const LIMIT_OPTION: OptionSpec = {
  flags: '--limit <n>',
  summary: 'at most so many, 1 to 1,000; default 50',
};

export const AFTER_OPTION: OptionSpec = {
  flags: '--after <cursor>',
  summary: 'go on where the page before ended: its `next`',
};

export const PACE_OPTION: OptionSpec = {
  flags: '--pace <rate>',
  summary:
    'they come back at a growing pace that begins with this one, such as 5/s, and slows down when failures rise',
};

/** Of every command that opens a store. */
export const STORE_COMMAND_OPTIONS: readonly OptionSpec[] = [
  STORE_OPTION,
  CONFIG_OPTION,
  JSON_OPTION,
  VERBOSE_OPTION,
];

/** Of every list: its ways to print, beside `--json`. */
const LIST_OPTIONS: readonly OptionSpec[] = [JSONL_OPTION, PLAIN_OPTION];

/** Every option of a command: its own, and those that its kind has. */
export function optionsOf({ options = [], rows, streams }: CommandSpec): readonly OptionSpec[] {
  if (rows !== undefined) return [...options, ...LIST_OPTIONS];
  return streams
    ? [...options, { ...JSONL_OPTION, summary: 'the same as --json', conflicts: [] }]
    : options;
}

/** The last field of every list as JSON prints it. */
export const NEXT_FIELD: JsonField = {
  path: 'next',
  type: 'text or null',
  meaning: 'for --after; null: this was the last page',
};
