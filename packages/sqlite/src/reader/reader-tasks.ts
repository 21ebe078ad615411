import type { DatabaseSync } from 'node:sqlite';
import type { ExpiredFilter } from '@redrive/durable/store';
import { openForReading } from '../database/open-database.ts';
import { CLOSE, type Tasks } from '../thread/serve.ts';
import type { ListRequest } from './job-list.ts';
import { Reader } from './reader.ts';

export interface ExpiredInput {
  readonly limit: number;
  readonly filter: ExpiredFilter;
  readonly nowMs?: number;
}

export interface ReaderData {
  readonly path: string;
  readonly busyMs: number;
}

/** What the thread that reads can do. */
export function readerTasks({ path, busyMs }: ReaderData): Tasks {
  let open: { readonly db: DatabaseSync; readonly reader: Reader } | undefined;

  function reader(): Reader {
    if (open === undefined) {
      const db = openForReading(path, busyMs);
      open = { db, reader: new Reader(db) };
    }
    return open.reader;
  }

  return {
    job: (id: string) => reader().job(id),
    finished: (ids: readonly string[]) => reader().finished(ids),
    expiredLeases: ({ limit, filter, nowMs }: ExpiredInput) =>
      reader().expiredLeases(limit, filter, nowMs),
    leasesOf: ({ worker, limit, nowMs }: { worker: string; limit: number; nowMs?: number }) =>
      reader().leasesOf(worker, limit, nowMs),
    pulse: ({ handlers, nowMs }: { handlers: readonly string[]; nowMs?: number }) =>
      reader().pulse(handlers, nowMs),
    jobs: (request: ListRequest) => reader().jobs(request),
    counts: ({ nowMs }: { nowMs?: number }) => reader().counts(nowMs),
    pauses: () => reader().pauses(),
    policy: (hash: string) => reader().policy(hash),
    auditBlocks: ({ after, limit }: { after: number; limit: number }) =>
      reader().auditBlocks(after, limit),
    recordSizes: () => reader().recordSizes(),
    [CLOSE]: () => {
      const { db } = open ?? {};
      open = undefined;
      db?.close();
    },
  };
}
