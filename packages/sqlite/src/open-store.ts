import { resolve } from 'node:path';
import { type Clock, RedriveError } from '@redrive/core';
import { aClock, type OptionTable, resolveOptions } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import { lookAt } from './database/open-database.ts';
import { modeProblem } from './database/private-file.ts';
import { CURRENT_SCHEMA, NEWEST_SCHEMA, type SchemaCode } from './database/schema.ts';
import { FAST_PATHS, type FastPaths } from './fast-paths.ts';
import type { ReaderData } from './reader/reader-tasks.ts';
import { SharedReader } from './reader/shared-reader.ts';
import { Listeners, sqliteStore } from './store/sqlite-store.ts';
import type { Caller, Calls } from './thread/protocol.ts';
import { Thread, type ThreadOptions } from './thread/thread.ts';
import { prepareThreads } from './thread/thread-program.ts';
import { WriteBackHelper } from './write-back/write-back.ts';
import type { WriteBackData } from './write-back/write-back-tasks.ts';
import type { WriterData, WriterEvent, Writes } from './writer/writer-tasks.ts';

export interface SqliteStoreOptions {
  /** For tests: all times of jobs are its `now()`. Default: the system's, read inside each transaction. */
  readonly clock?: Clock | undefined;
  /**
   * The time limit of every call. A call that takes longer is rejected with `store_unavailable`; it is then unknown
   * whether its write was applied. While another process holds the file's lock, a call waits for nine tenths of
   * `timeoutMs`. Default 5,000.
   */
  readonly timeoutMs?: number;
  /** Called at the start with a warning: other users can read the store's files. Default: `process.emitWarning`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const OPTIONS: OptionTable<SqliteStoreOptions> = {
  clock: [undefined, aClock],
  timeoutMs: [5_000, { kind: 'integer', min: 100, max: 600_000 }],
  onWarning: [(message) => process.emitWarning(message, 'RedriveWarning'), { kind: 'function' }],
};

/** Enough for gigabytes on a slow disk. Only `close()` waits for it. */
const WRITE_BACK_MS = 600_000;

/**
 * Opens the store in this file. The first write creates the file, or migrates a file of an earlier version; a read does
 * neither. Several processes may have it open at once.
 *
 * ```ts
 * const store = await openStore('./redrive.db');
 * ```
 *
 * @param path of the file, on a local disk, with or without `sqlite:` before it.
 * @throws RedriveError `invalid_option`, `store_unsupported` (another kind of file, or an old SQLite), `schema_too_new`,
 *   `store_unavailable` (the path cannot be opened, or another process holds its lock).
 */
export function openStore(path: string, options: SqliteStoreOptions = {}): Promise<FullStore> {
  return openStoreWith(path, options, { audit: true });
}

/** Options for tests and benchmarks only. */
export interface Internals {
  /** Only the benchmark of the audit's cost sets it to `false`. */
  readonly audit: boolean;
  /** Tests of other things run without threads, because starting two threads takes longer than most tests. */
  readonly start?: (options: ThreadOptions) => Caller;
  /** Tests set other sizes. */
  readonly fastPaths?: FastPaths;
  /** Tests plant a schema of another version. */
  readonly schema?: SchemaCode;
}

/** @internal `openStore` with options that are not public. */
export async function openStoreWith(
  path: string,
  options: SqliteStoreOptions,
  {
    audit,
    start = (thread) => new Thread(thread),
    fastPaths = FAST_PATHS,
    schema = CURRENT_SCHEMA,
  }: Internals,
): Promise<FullStore> {
  const { clock, timeoutMs, onWarning } = resolveOptions('SQLite store', options, OPTIONS);
  const file = fileOf(path);
  const name = `sqlite:${file}`;
  const busyMs = Math.floor(timeoutMs * 0.9);
  await prepareThreads();
  const writer: Calls<Writes> = start({
    name,
    timeoutMs,
    main: 'writer/writer-thread',
    data: { path: file, busyMs, audited: audit, fastPaths, schema } satisfies WriterData,
    onEvent: (event) => {
      if (event === ('log_large' satisfies WriterEvent)) return helper.help();
      if (event === ('controls_changed' satisfies WriterEvent)) return listeners.notify('control');
      listeners.notify('ready');
      listeners.notify('finished');
    },
    onRestart: () => {
      if (listeners.hasListeners) watch(true);
    },
  });
  const reader = new SharedReader(
    writer,
    start({
      name,
      timeoutMs,
      main: 'reader/reader-thread',
      data: { path: file, busyMs, fastPaths, schema } satisfies ReaderData,
      readsOnly: true,
    }),
  );
  const helper = new WriteBackHelper(
    start({
      name,
      timeoutMs: WRITE_BACK_MS,
      main: 'write-back/write-back-thread',
      data: { path: file, busyMs } satisfies WriteBackData,
    }),
  );
  // Hints: if the writer cannot watch, the poll of idle workers will do.
  const watch = (on: boolean): void => void writer.call('watch', on).catch(() => {});
  const listeners = new Listeners(
    () => watch(true),
    () => watch(false),
  );
  try {
    await writer.call('open');
  } catch (error) {
    await writer.close();
    throw error;
  }
  const problem = modeProblem(resolve(file));
  if (problem !== undefined) onWarning?.(problem);
  return sqliteStore({
    overlapFrom: fastPaths.overlap,
    name,
    writer,
    reader,
    beginChanges: () => reader.beApart(),
    helper,
    clock,
    timeoutMs,
    listeners,
  });
}

/** Plain JavaScript may give anything. */
function fileOf(path: unknown): string {
  if (typeof path !== 'string') {
    const message = `path must be the path of a file, as a text, not a value of type ${typeof path}`;
    const problems = [{ field: 'path', message }];
    throw new RedriveError('invalid_option', `Invalid SQLite store: ${message}.`, { problems });
  }
  const file = path.replace(/^sqlite:/u, '');
  if (file === ':memory:' || file.startsWith('file:')) {
    throw new RedriveError(
      'store_unsupported',
      `${path}: a SQLite store is a file, named by its path. For a store in memory, use memoryStore() of @redrive/durable.`,
      { path },
    );
  }
  return file;
}

const BUSY_MS = 5_000;

/**
 * The schema version of this file (`from`), and its version after `store.migrate()` (`to`). Changes nothing. `from` is 0
 * if the file does not exist or is empty.
 *
 * @throws RedriveError `store_unsupported`, `schema_too_new`, `store_forbidden`, `store_unavailable`.
 */
export function schemaVersions(path: string): { readonly from: number; readonly to: number } {
  const { version } = lookAt(resolve(path), BUSY_MS);
  return { from: version, to: Math.max(version, NEWEST_SCHEMA) };
}
