import { EXIT, type ExitName } from '../terminal/exit-codes.ts';
import type { CommandSpec, OptionEntry, OptionSpec } from './command-spec.ts';

/** The choices or the conflicts at the end of an option's line. */
const RULE = /^(.+) \[(one of|not with) (.+)\]$/;

// One meaning each, in every command that has them: the reference explains them once.
const shared = (line: string): OptionSpec => ({ ...optionSpec(line), shared: true });

export const JSON_OPTION = shared('--json | print the result as JSON');

const JSONL_OPTION = shared('--jsonl | print JSON lines: one object per line [not with json]');

const PLAIN_OPTION = shared(
  '--plain | print rows without titles, tabs between the cells, nothing cut [not with json, jsonl]',
);

export const CONFIG_OPTION = shared(
  '-c, --config <file> | the configuration; else REDRIVE_CONFIG, else ./redrive.yaml, else the presets alone',
);

export const VERBOSE_OPTION = shared(
  '-v, --verbose | report on stderr each step and the files and stores that are used',
);

export const YES_OPTION = shared(
  '-y, --yes | do what the command would refuse otherwise, such as overwriting a file',
);

export const DRY_RUN_OPTION = shared('-n, --dry-run | show what would change, and change nothing');

export const STORE_OPTION = shared(
  "--store <url> | the path of a SQLite file, sqlite:<file> or postgres://…?schema=name&connections=3; else REDRIVE_STORE, else the configuration's store, else sqlite:./redrive.db",
);

export const ACCESS_FILE_OPTION = shared(
  '--access-file <file> | the file with the hashes of tokens and sign-ins; else REDRIVE_ACCESS_FILE, else <file>.access.json beside a SQLite store, and redrive.access.json beside the configuration otherwise',
);

export const FILE_EXIT = 'the access file cannot be read or written, or others can read it';

const REASON_OPTION = shared(
  '--reason <text> | why you do it; recorded in the audit log with your name',
);

const LIMIT_OPTION = shared('--limit <n> | rows per page, 1 to 1,000; default 50');

export const AFTER_OPTION = shared(
  '--after <cursor> | the next page: the `next` of the page before it',
);

export const PACE_OPTION = shared(
  '--pace <rate> | release the jobs gradually: the first rate, such as 5/s; it grows, and falls again when jobs fail',
);

const OPTIONS_OF_USE: Readonly<Record<NonNullable<CommandSpec['uses']>, readonly OptionSpec[]>> = {
  store: [STORE_OPTION, CONFIG_OPTION, JSON_OPTION, VERBOSE_OPTION],
  config: [CONFIG_OPTION, JSON_OPTION, VERBOSE_OPTION],
};

/** Of every command that writes a file of its own. */
export const EXPORT_OPTIONS: readonly OptionEntry[] = [
  '--output <file> | the file to write; -: stdout [not with to]',
  '--force | replace the file of --output if it exists',
  '--to <directory> | the directory for a new file that is named after the time; -: stdout; default .',
];

export const QUIET_OPTION = shared(
  '-q, --quiet | no hints and no progress on stderr: only warnings and errors',
);

export const NO_COLOR_OPTION = shared(
  '--no-color | no colours, even on a terminal; the same as NO_COLOR',
);

/** Of every command; they may also stand before it. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [QUIET_OPTION, NO_COLOR_OPTION];

/** Of every list: its ways to print, beside `--json`. */
const LIST_OPTIONS: readonly OptionSpec[] = [JSONL_OPTION, PLAIN_OPTION];

const STREAM_OPTIONS = [optionSpec('--jsonl | the same as --json: JSON lines')];

/** Of commands that can run on a server. */
export const SERVER_OPTIONS: readonly OptionSpec[] = [
  shared(
    '--server <url> | run on this server, and not on a store; else REDRIVE_SERVER [not with store, config]',
  ),
  shared(
    '--context <name> | run on the server of this context; else REDRIVE_CONTEXT, else the current one [not with server, store, config]',
  ),
  shared('--token-file <file> | the file with the token for the server; else REDRIVE_TOKEN'),
  shared('--ca-file <file> | certificates of a private authority (PEM); else REDRIVE_CA_FILE'),
];

/** Every option of a command: its own, those that its kind has, and those that all have. */
export function optionsOf(spec: CommandSpec): readonly OptionSpec[] {
  const { options = [], pages, reads, acts, uses, remote, rows, streams } = spec;
  return [
    ...options.map(optionSpec),
    ...(pages ? [LIMIT_OPTION, AFTER_OPTION] : []),
    ...(reads || acts ? [REASON_OPTION] : []),
    ...(acts ? [DRY_RUN_OPTION] : []),
    ...(uses ? OPTIONS_OF_USE[uses] : []),
    ...(remote ? SERVER_OPTIONS : []),
    ...(rows ? LIST_OPTIONS : streams ? STREAM_OPTIONS : []),
    ...GLOBAL_OPTIONS,
  ];
}

function optionSpec(entry: OptionEntry): OptionSpec {
  if (typeof entry !== 'string') return entry;
  const [flags = '', text = ''] = entry.split(' | ');
  const [, summary = text, kind, names = ''] = RULE.exec(text) ?? [];
  if (kind === undefined) return { flags, summary };
  return { flags, summary, [kind === 'one of' ? 'choices' : 'conflicts']: names.split(', ') };
}

export const NO_STORE = 'there is no store, or it does not answer';
const NO_SERVER = 'there is no store or server, or it does not answer';
const NO_ROLE = 'the role of the token does not allow it';
export const BAD_CONFIG = 'the configuration is not valid, or cannot be read';

/** The exit codes of a command besides 0, 2 and 130, by their numbers. */
export function exitsOf({ exits, uses, remote }: CommandSpec): readonly [ExitName, string][] {
  const all: CommandSpec['exits'] = {
    ...(uses === 'store' && { unreachable: NO_STORE }),
    ...(remote && { not_permitted: NO_ROLE, unreachable: NO_SERVER }),
    ...exits,
  };
  // The keys of a constant are its names.
  return (Object.keys(EXIT) as ExitName[]).flatMap((name) => {
    const when = all[name];
    return when === undefined ? [] : [[name, when]];
  });
}
