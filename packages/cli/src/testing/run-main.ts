import { readFileSync, writeFileSync } from 'node:fs';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { DocumentSource } from '@redrive/durable/documents';
import type { Bus } from '@redrive/durable/events';
import { main } from '../main.ts';
import { openBusAt, openDocumentsAt, openStoreAt } from '../store/open-store.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { type Environment, type ScreenStream, screenOf } from '../terminal/screen.ts';
import type { StopSignal } from '../terminal/signals.ts';

export interface Ran {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The store that every URL leads to; it stays open. Default: the real one. */
  readonly store?: FullStore;
  /** The bus that every URL leads to; it stays open. Default: the real one. */
  readonly bus?: Bus;
  /** Gets the URL of each bus that is opened. */
  readonly onOpenBus?: (url: string) => void;
  /** The database with documents that every URL leads to; it stays open. Default: the real one. */
  readonly documents?: DocumentSource;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** The standard input. Default: empty. */
  readonly stdin?: string;
  /** Called with the text that is printed, piece by piece. */
  readonly onStdout?: (text: string) => void;
  /** Called when the command wants its process to end at once. */
  readonly onExit?: (code: ExitCode) => void;
  /** Commands that take signals call it with a function that sends one. */
  readonly onSignals?: (send: (signal: StopSignal) => void) => void;
  /** The text that the editor leaves in the file. Default: an empty one. */
  readonly onEdit?: (text: string) => string;
  readonly env?: Environment;
  readonly directory?: string;
  /** The kind of both streams. Default: a pipe. */
  readonly stream?: ScreenStream;
}

/** Runs a command line in this process, with streams that are caught. */
export async function runMain(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, directory = '/nonexistent', stream = {}, store, bus, stdin = '' } = options;
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdout: (text) => {
      stdout += text;
      options.onStdout?.(text);
    },
    flushed: async () => {},
    stderr: (text) => {
      stderr += text;
    },
    screen: screenOf(stream, env),
    errorScreen: screenOf(stream, env),
    env,
    directory,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    stdin: async function* () {
      yield Buffer.from(stdin);
    },
    openStore: async (url, create, onWarning) =>
      store
        ? { ...store, close: async () => {} }
        : openStoreAt(url, { directory, create, onWarning }),
    openBus: async (url) => {
      options.onOpenBus?.(url);
      return bus ? { ...asBus(bus), close: async () => {} } : openBusAt(url);
    },
    openDocuments: async (url) =>
      options.documents ? keptOpen(options.documents) : openDocumentsAt(url),
    edit: async (_editor, file) => {
      writeFileSync(file, options.onEdit?.(readFileSync(file, 'utf8')) ?? '');
      return 0;
    },
    exit: (code) => options.onExit?.(code),
    takeSignals: (listener) => {
      options.onSignals?.(listener);
      return () => {};
    },
  };
  const exitCode = await main(args, io);
  return { exitCode, stdout, stderr };
}

/** Its methods, which a spread of a class does not copy. */
function asBus(bus: Bus): Bus {
  return {
    name: bus.name,
    capabilities: bus.capabilities,
    publish: (messages) => bus.publish(messages),
    consume: (source, options, take) => bus.consume(source, options, take),
    check: (source) => bus.check(source),
    declare: (source) => bus.declare(source),
    ...(bus.peek && { peek: bus.peek.bind(bus) }),
    close: () => bus.close(),
    [Symbol.asyncDispose]: () => bus.close(),
  };
}

function keptOpen(source: DocumentSource): DocumentSource {
  return new Proxy(source, {
    get(target, name: keyof DocumentSource) {
      const value = target[name];
      if (name === 'close') return async () => {};
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
