import type { OptionSpec } from './command-spec.ts';

// One meaning each, in every command that has them.

export const JSON_OPTION: OptionSpec = {
  flags: '--json',
  summary: 'print the result as JSON',
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
