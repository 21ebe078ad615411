import type { DatabaseSync } from 'node:sqlite';
import type { AuditPack, BeginOperation } from '@redrive/durable/store';
import type { Encoded } from '../command/encoded.ts';
import { schemaFence } from '../database/identify.ts';
import { lookAt, openForReading, openForWriting } from '../database/open-database.ts';
import type { SchemaCode } from '../database/schema.ts';
import { errcodeOf } from '../database/statement.ts';
import type { FastPaths } from '../fast-paths.ts';
import type { EncodedStep } from '../operation/operations.ts';
import { readerTasks } from '../reader/reader-tasks.ts';
import type { Tasks } from '../thread/protocol.ts';
import { CLOSE, taskOf } from '../thread/serve.ts';
import { WriteBack } from '../write-back/write-back.ts';
import type { EncodedLease } from './leasing.ts';
import { LogWatch } from './log-watch.ts';
import type { PolicyRow } from './policy-table.ts';
import { Writer } from './writer.ts';

export interface WriterData {
  readonly path: string;
  readonly busyMs: number;
  readonly audited: boolean;
  readonly fastPaths: FastPaths;
  readonly schema: SchemaCode;
}

export interface CommitInput {
  readonly commands: readonly Encoded[];
  readonly nowMs?: number | undefined;
}

export interface HeartbeatInput {
  readonly leases: readonly EncodedLease[];
  readonly leaseMs: number;
  readonly nowMs?: number | undefined;
}

/** Primary result codes after which the connection is closed and opened again: IOERR, CORRUPT, CANTOPEN, NOTADB. */
const BROKEN: ReadonlySet<number> = new Set([10, 11, 14, 26]);

/**
 * Messages of the writer without a request: another process has written, or has changed control documents, or the log is
 * too large to write it back on this thread.
 */
export type WriterEvent = 'changed' | 'controls_changed' | 'log_large';

/** The tasks of the writing thread. */
export function writerTasks(data: WriterData, notify: (event: WriterEvent) => void) {
  const { path, busyMs, audited, fastPaths, schema } = data;
  let open:
    | { readonly db: DatabaseSync; readonly writer: Writer; readonly writeBack: WriteBack }
    | undefined;
  const watch = new LogWatch(`${path}-wal`, notifyOfCommits);
  /** With a connection of its own, which only reads. */
  const reads: Tasks = readerTasks(data);

  /** Creates the file and its tables, or migrates them. */
  function opened(): NonNullable<typeof open> {
    if (open === undefined) {
      const db = openForWriting(path, busyMs, schema);
      const writeBack = new WriteBack(db, () => notify('log_large'));
      const writer = new Writer(db, audited, fastPaths, schemaFence(db, path, schema));
      open = { db, writer, writeBack };
    }
    return open;
  }

  /** After a disk error the next call opens the file again, because the caches of the connection may be wrong. */
  function attempt<T>(task: (writer: Writer) => T): T {
    try {
      const { writer, writeBack } = opened();
      const result = task(writer);
      writeBack.afterCommit();
      return result;
    } catch (error) {
      if (BROKEN.has((errcodeOf(error) ?? 0) & 0xff)) close();
      throw error;
    }
  }

  /** The same, but creates no file and migrates no table. @throws RedriveError `store_not_found`, `schema_too_old`. */
  function attemptIfThere<T>(task: (writer: Writer) => T): T {
    checkThere();
    return attempt(task);
  }

  function checkThere(): void {
    if (open === undefined) openForReading(path, busyMs, schema).close();
  }

  /** Messages are only hints, and the poll replaces a lost one. If the file has a problem, the next command reports it. */
  function notifyOfCommits(): void {
    try {
      const changes = open?.writer.takeChanges();
      if (changes?.controls) notify('controls_changed');
      if (changes?.changed) notify('changed');
    } catch {
      // No caller waits for this call, and an uncaught error would end the thread.
    }
  }

  function close(): void {
    const { db } = open ?? {};
    open = undefined;
    db?.close();
  }

  return {
    open: () => {
      if (lookAt(path, busyMs, schema).identity === 'usable') opened();
    },
    migrate: () => void opened(),
    commit: ({ commands, nowMs }: CommitInput) => {
      // A command that only reads writes a note about it, and must not create or migrate the store.
      const isLook = commands.every(([kind]) => kind === 'note');
      return (isLook ? attemptIfThere : attempt)((it) => it.commit(commands, nowMs));
    },
    heartbeat: ({ leases, leaseMs, nowMs }: HeartbeatInput) =>
      attemptIfThere((it) => it.heartbeat(leases, leaseMs, nowMs)),
    beginOperation: ({ begin, nowMs }: { begin: BeginOperation; nowMs?: number | undefined }) =>
      attempt((it) => it.beginOperation(begin, nowMs)),
    stepOperation: ({ step, nowMs }: { step: EncodedStep; nowMs?: number | undefined }) =>
      attempt((it) => it.stepOperation(step, nowMs)),
    setAside: ({ ids, nowMs }: { ids: readonly string[]; nowMs?: number | undefined }) =>
      attemptIfThere((it) => it.setAside(ids, nowMs)),
    putBack: ({ ids, nowMs }: { ids: readonly string[]; nowMs?: number | undefined }) =>
      attemptIfThere((it) => it.putBack(ids, nowMs)),
    seal: ({ nowMs }: { nowMs?: number | undefined }) => attemptIfThere((it) => it.seal(nowMs)),
    controlRevision: () => {
      checkThere();
      return opened().writer.controlRevision();
    },
    read: ({ name, input }: { readonly name: string; readonly input: unknown }) =>
      taskOf(reads, name)(input as never), // Both sides are of one version: the input is what the task takes.
    compress: (pack: AuditPack) => attemptIfThere((it) => it.compress(pack)),
    registerPolicies: (policies: readonly PolicyRow[]) =>
      attempt((it) => it.registerPolicies(policies)),
    watch: (on: boolean) => {
      if (on) watch.start();
      else watch.stop();
    },
    [CLOSE]: () => {
      watch.stop();
      taskOf(reads, CLOSE)(undefined as never);
      close();
    },
  } satisfies Tasks;
}

export type Writes = ReturnType<typeof writerTasks>;
