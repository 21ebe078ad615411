import type { ExitCode, ExitName } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';

/** An argument as usage lines write it: `<id>` must be given, `[file]` may, `<ids...>` takes all that follow. */
export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  /** Values that it takes, for completion; the command itself refuses others. */
  readonly choices?: readonly string[];
}

/** An option as usage lines write it: `--json`, `-c, --config <file>`. */
export interface OptionSpec {
  readonly flags: string;
  readonly summary: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** Options that cannot be given together with it, by name: `dryRun`. */
  readonly conflicts?: readonly string[];
  /** It may be given several times, and its value is a list. */
  readonly repeats?: true;
  /** Other commands have it with the same meaning. */
  readonly shared?: true;
}

/**
 * An option may be one line: `--all | include workers that are gone`. Its choices or its conflicts stand at the end:
 * `--scale <kind> | … [one of auto, linear, log]`, `--hold-only | … [not with count, pace]`.
 */
export type OptionEntry = OptionSpec | string;

/** A command as data: help, suggestions and the reference page are made from it, and nothing is loaded for them. */
export interface CommandSpec {
  readonly name: string;
  /** Other names that it answers to. */
  readonly aliases?: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** Whole sentences beyond the summary: defaults, gotchas. */
  readonly details?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionEntry[];
  /** `store`: it opens a store, or says that there is none. `config`: it reads the configuration alone. Each has the options for it. */
  readonly uses?: 'store' | 'config';
  /** It is made from an action, so it can run on a server: it has `--server`, `--token-file` and `--ca-file`. */
  readonly remote?: true;
  /** If it cannot run on a server: what to do there instead. */
  readonly onServer?: string;
  /** It changes something: it has `--reason` and `--dry-run`. */
  readonly acts?: true;
  /** It prints page by page: it has `--limit` and `--after`. */
  readonly pages?: true;
  readonly examples?: readonly string[];
  /** It is a list that `printList` prints: the cells of a row of `--plain`, with commas. It gets `--jsonl` and `--plain`. */
  readonly rows?: string;
  /**
   * Every field that `--json` prints, one per line: `path | type | meaning`. A list also has `next`. A field may be added in
   * a later version; none is renamed or dropped.
   */
  readonly json?: string;
  /** With `--json` it prints an object per line as it goes: `--jsonl` is the same. */
  readonly streams?: true;
  /**
   * The kind of data that it shows. The actor and `--reason` are in the audit log before anything is shown
   * (`withStore`).
   */
  readonly reads?: ReadKind;
  /** It is needed in an emergency: a configuration that is not valid does not keep it from its store. */
  readonly emergency?: true;
  /** Its exit code is an answer: a caller that stops reading its output (`| head -1`) still gets the code. */
  readonly verdict?: true;
  /** When it ends with which code, besides 0, 2 and 130, which every command has. */
  readonly exits?: Partial<Readonly<Record<ExitName, string>>>;
  /** Loads the code. Only when the command runs: `--help` and `--version` wait for no parser and no driver. */
  readonly load: () => Promise<RunCommand>;
}

/** `payloads`: also results and headers, redacted or not. `sessions`: jobs and records. `metrics`: numbers. */
type ReadKind = 'payloads' | 'sessions' | 'metrics';

/** Commands under one word: `redrive policies …`. */
export interface CommandGroup {
  /** In the plural where things can be counted. */
  readonly name: string;
  /** Other names that it answers to: the singular. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly commands: readonly CommandSpec[];
}

/** The input of a command. */
export interface Invocation {
  readonly io: Io;
  /** In order, without those that were left out. */
  readonly args: readonly string[];
  /** By the option's long name in camel case: `dryRun`. */
  readonly options: Options;
  /** The words after `redrive`: `jobs show`. */
  readonly command: string;
  readonly reads?: ReadKind | undefined;
  /** Where the configuration is not valid, the store that it names is used all the same. */
  readonly emergency?: boolean | undefined;
}

/** Texts, lists of texts where an option may be repeated, and `true` for those without a value. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Without an answer the exit code is 0. */
export type RunCommand = (invocation: Invocation) => Ended | Promise<Ended>;

// biome-ignore lint/suspicious/noConfusingVoidType: functions that return nothing have the type `void`, and `undefined` refuses them.
type Ended = ExitCode | void;
