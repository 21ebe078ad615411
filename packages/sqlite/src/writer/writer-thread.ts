import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { Encoded } from '../command/encoded.ts';
import { openForWriting } from '../database/open-database.ts';
import { errcodeOf } from '../thread/describe-error.ts';
import { CLOSE, serve } from '../thread/serve.ts';
import { LogWatch } from './log-watch.ts';
import { type PolicyRow, Writer } from './writer.ts';

// The main file of the thread that writes.

export interface WriterData {
  readonly path: string;
  readonly busyMs: number;
  readonly audited: boolean;
}

/** Primary result codes after which a connection is not to be trusted: IOERR, CORRUPT, CANTOPEN, NOTADB. */
const BROKEN: ReadonlySet<number> = new Set([10, 11, 14, 26]);

// Given by store.ts, of the same version.
const { path, busyMs, audited } = workerData as WriterData;
let open: { readonly db: DatabaseSync; readonly writer: Writer } | undefined;

function connection(): { readonly db: DatabaseSync; readonly writer: Writer } {
  if (open === undefined) {
    const db = openForWriting(path, busyMs);
    open = { db, writer: new Writer(db, audited) };
  }
  return open;
}

/** After an error of the disk the file is opened anew, at the next call: what the connection remembers may be wrong. */
function withWriter<T>(task: (writer: Writer) => T): T {
  try {
    return task(connection().writer);
  } catch (error) {
    if (BROKEN.has((errcodeOf(error) ?? 0) & 0xff)) close();
    throw error;
  }
}

function close(): void {
  watch.stop();
  const { db } = open ?? {};
  open = undefined;
  db?.close();
}

const tell = serve({
  open: () => void connection(),
  commit: ({ commands, nowMs }: { commands: readonly Encoded[]; nowMs?: number }) =>
    withWriter((writer) => writer.commit(commands, nowMs)),
  heartbeat: (input: {
    leases: readonly (readonly [string, number])[];
    leaseMs: number;
    nowMs?: number;
  }) => withWriter((writer) => writer.heartbeat(input.leases, input.leaseMs, input.nowMs)),
  registerPolicies: (policies: readonly PolicyRow[]) =>
    withWriter((writer) => writer.registerPolicies(policies)),
  watch: (on: boolean) => {
    if (on) watch.start();
    else watch.stop();
  },
  [CLOSE]: close,
});

const watch = new LogWatch(`${path}-wal`, () => {
  if (open?.writer.takeNews()) tell('changed');
});
