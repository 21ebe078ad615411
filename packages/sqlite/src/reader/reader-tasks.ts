import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import type { CompressOptions, ExpiredFilter, FailingRequest } from '@redrive/durable/store';
import { snapshotTasks } from '../audit/snapshot.ts';
import { batchTasks } from '../batch/ask-batches.ts';
import { controlTasks } from '../control/control-tasks.ts';
import { schemaFence } from '../database/identify.ts';
import { openForReading } from '../database/open-database.ts';
import type { SchemaCode } from '../database/schema.ts';
import { deadLetterTasks } from '../dead-letter/dead-letter-tasks.ts';
import { eventDocumentTasks } from '../event/event-documents.ts';
import type { FastPaths } from '../fast-paths.ts';
import { findKey } from '../ledger/ledger-table.ts';
import { workerTasks } from '../live-workers/worker-table.ts';
import { operationTasks } from '../operation/operation-tasks.ts';
import type { Tasks } from '../thread/protocol.ts';
import { CLOSE } from '../thread/serve.ts';
import type { ListRequest } from './job-list.ts';
import { Reader } from './reader.ts';

export interface ExpiredInput {
  readonly limit: number;
  readonly filter: ExpiredFilter;
  readonly nowMs?: number | undefined;
}

export interface ReaderData {
  readonly path: string;
  readonly busyMs: number;
  readonly fastPaths: FastPaths;
  readonly schema: SchemaCode;
}

/** The tasks of the reading thread. */
export function readerTasks({ path, busyMs, fastPaths, schema }: ReaderData) {
  let open:
    | { readonly db: DatabaseSync; readonly reader: Reader; readonly checkSchema: () => void }
    | undefined;

  const snapshots = snapshotTasks(() => openForReading(path, busyMs, schema));

  function opened(): NonNullable<typeof open> {
    if (open === undefined) {
      const db = openForReading(path, busyMs, schema);
      const checkSchema = schemaFence(db, path, schema);
      open = { db, reader: new Reader(db, fastPaths), checkSchema };
    }
    open.checkSchema();
    return open;
  }
  const reader = (): Reader => opened().reader;

  return {
    /** Answers once the thread has started. */
    ready: () => undefined,
    job: (id: string) => reader().job(id),
    finished: (ids: readonly string[]) => reader().finished(ids),
    states: (ids: readonly string[]) => reader().states(ids),
    expiredLeases: ({ limit, filter, nowMs }: ExpiredInput) =>
      reader().expiredLeases(limit, filter, nowMs),
    leasesOf: ({
      worker,
      limit,
      nowMs,
    }: {
      worker: string;
      limit: number;
      nowMs?: number | undefined;
    }) => reader().leasesOf(worker, limit, nowMs),
    pulse: ({ handlers, nowMs }: { handlers: readonly string[]; nowMs?: number | undefined }) =>
      reader().pulse(handlers, nowMs),
    jobs: (request: ListRequest) => reader().jobs(request),
    counts: ({ nowMs }: { nowMs?: number | undefined }) => reader().counts(nowMs),
    policy: (hash: string) => reader().policy(hash),
    countPolicies: (atMost: number) => reader().countPolicies(atMost),
    auditBlocks: ({ after, limit }: { after: number; limit: number }) =>
      reader().auditBlocks(after, limit),
    preparePack: ({ options, nowMs }: { options: CompressOptions; nowMs?: number | undefined }) =>
      reader().preparePack(options, nowMs),
    unreadableJob: (id: string) => reader().unreadableJob(id),
    unreadableJobs: ({ after }: { after?: string | undefined }) => reader().unreadableJobs(after),
    failing: (request: FailingRequest) => reader().failing(request),
    ledgerKey: ({ key, nowMs }: { key: string; nowMs?: number | undefined }) =>
      findKey(opened().db).get(key, nowMs ?? systemClock.now()),
    ...deadLetterTasks(() => opened().db),
    ...batchTasks(() => opened().db),
    ...operationTasks(() => opened().db),
    ...controlTasks(() => opened().db),
    ...workerTasks(() => opened().db),
    ...eventDocumentTasks(() => opened().db),
    ...snapshots.tasks,
    [CLOSE]: () => {
      snapshots.endAll();
      const { db } = open ?? {};
      open = undefined;
      db?.close();
    },
  } satisfies Tasks;
}

export type Reads = ReturnType<typeof readerTasks>;
