import { readFileSync } from 'node:fs';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { DocumentSource } from '@redrive/durable/documents';
import type { Bus } from '@redrive/durable/events';
import type { ExitCode } from './exit-codes.ts';
import { printable, safeJson, wrapWords } from './printable.ts';
import { type Environment, type Screen, screenOf } from './screen.ts';
import { type StopSignal, takeSignals } from './signals.ts';

/** All that a command may touch of the process that it runs in; tests give it another one. */
export interface Io {
  /** Results: what the caller asked for, and nothing else, so that it can be piped. */
  readonly stdout: (text: string) => void;
  /** Resolves when what was printed has gone out: for who prints more than memory should hold. */
  readonly flushed: () => Promise<void>;
  /** Messages: progress, warnings, errors. */
  readonly stderr: (text: string) => void;
  /** The command's standard input, in pieces. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** Hints and progress are left out (`note`). Default `false`. */
  readonly quiet?: boolean;
  readonly screen: Screen;
  readonly errorScreen: Screen;
  readonly env: Environment;
  /** Relative file names start here. */
  readonly directory: string;
  /** Default: the system's. Left out, because asking for it would load core for every `--help`. */
  readonly clock?: Clock;
  /** Opens the store at a URL. `create`: also one that does not exist yet. */
  readonly openStore: (
    url: string,
    create: boolean,
    onWarning?: (message: string) => void,
  ) => Promise<FullStore>;
  /** Opens the message broker at a URL. */
  readonly openBus: (url: string) => Promise<Bus>;
  /** Opens the database with documents at a URL. */
  readonly openDocuments: (url: string) => Promise<DocumentSource>;
  /** Lets somebody edit a file on this terminal, with this command. Resolves with how the editor ended. */
  readonly edit: (editor: string, file: string) => Promise<number>;
  /** Ends the process at once, though something still runs in it that nobody can stop. What was printed gets out first. */
  readonly exit: (code: ExitCode) => void;
  /** Takes the signals that end a process, until the returned function is called. */
  readonly takeSignals: (listener: (signal: StopSignal) => void) => () => void;
}

/** The streams and the environment of this process. */
export function processIo(): Io {
  const directory = process.cwd();
  return {
    stdout: (text) => process.stdout.write(text),
    flushed: () => new Promise((resolve) => process.stdout.write('', () => resolve())),
    stderr: (text) => process.stderr.write(text),
    stdin: () => process.stdin,
    screen: screenOf(process.stdout, process.env),
    errorScreen: screenOf(process.stderr, process.env),
    env: process.env,
    directory,
    openStore: async (url, create, onWarning) => {
      // Drivers are loaded by the commands that need them.
      const { openStoreAt } = await import('../store/open-store.ts');
      return openStoreAt(url, { directory, create, onWarning });
    },
    openBus: async (url) => {
      const { openBusAt } = await import('../store/open-store.ts');
      return openBusAt(url);
    },
    openDocuments: async (url) => {
      const { openDocumentsAt } = await import('../store/open-store.ts');
      return openDocumentsAt(url);
    },
    edit: async (editor, file) => {
      const { spawn } = await import('node:child_process');
      return new Promise((resolve, reject) => {
        // It may be a command with arguments, as `code --wait`, so a shell takes it apart. The file's name is an argument
        // of its own, so nothing in it is taken for a command.
        const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
        child.on('error', reject);
        child.on('close', (code) => resolve(code ?? 1));
      });
    },
    exit: (code) => process.stdout.write('', () => process.exit(code)),
    takeSignals,
  };
}

/** A line on stderr that nobody must read: what to do next, how far it is. `--quiet` leaves it out. */
export function note({ quiet, stderr }: Pick<Io, 'quiet' | 'stderr'>, line?: string): void {
  if (!quiet && line !== undefined) stderr(`${line}\n`);
}

/** One line each; trailing blanks are dropped. */
export function printLines({ stdout }: Pick<Io, 'stdout'>, lines: readonly string[]): void {
  for (const line of lines) stdout(`${line.trimEnd()}\n`);
}

/** A sentence or two, broken between words. */
export function printText({ stdout, screen }: Pick<Io, 'stdout' | 'screen'>, text: string): void {
  printLines({ stdout }, wrapWords(printable(text), screen.columns));
}

/** The answer to `--json`: two blanks of indent, and a line break at the end. */
export function printJson({ stdout }: Pick<Io, 'stdout'>, value: unknown): void {
  stdout(`${safeJson(JSON.stringify(value, null, 2))}\n`);
}

/** One of many answers to `--json`: a line of its own. */
export function printJsonLine({ stdout }: Pick<Io, 'stdout'>, value: unknown): void {
  stdout(`${safeJson(JSON.stringify(value))}\n`);
}

/** The version of the command line. The manifest is two levels up from here, and from the bundle as well. */
export function readVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
