import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import {
  type AuditBlock,
  type CompressOptions,
  type Counts,
  type ExpiredFilter,
  type FailingRequest,
  type Pulse,
  positionOf,
  type UnreadableJob,
  type UnreadablePage,
} from '@redrive/durable/store';
import { BlockLog } from '../audit/block-log.ts';
import { type PreparedPack, preparePack } from '../audit/compressor.ts';
import { type Query, query } from '../database/statement.ts';
import { FAST_PATHS, type FastPaths } from '../fast-paths.ts';
import { JOB_COLUMNS, type JobRow } from '../job/job-row.ts';
import { SUCCEEDED } from '../job/states.ts';
import { countJobs } from './count-jobs.ts';
import { type FoundFailing, findFailing } from './find-failing.ts';
import { type FoundJobs, JobList, type ListRequest } from './job-list.ts';
import { PulseQuery } from './pulse-query.ts';
import { unreadableJob, unreadableJobs } from './unreadable-jobs.ts';

export interface FoundPolicy {
  readonly id: string;
  /** JSON. */
  readonly policy: string;
}

/** A connection for queries: neither the event loop nor the writer waits for a slow query. */
export class Reader {
  readonly #db: DatabaseSync;
  readonly #job: Query<JobRow>;
  readonly #finished: Query<JobRow>;
  readonly #states: Query<[id: string, state: number]>;
  readonly #expired: Query<JobRow>;
  readonly #leasesOf: Query<JobRow>;
  readonly #policy: Query<[id: string, policy: string]>;
  readonly #policies: Query<[count: number]>;
  readonly #log: BlockLog;
  readonly #list: JobList;
  readonly #pulse: PulseQuery;

  constructor(db: DatabaseSync, fastPaths: FastPaths = FAST_PATHS) {
    this.#db = db;
    const jobs = `SELECT ${JOB_COLUMNS} FROM jobs j JOIN lanes l USING (lane)`;
    this.#job = query(db, `${jobs} WHERE j.id = ?`);
    this.#finished = query(
      db,
      `${jobs} WHERE j.id IN (SELECT value FROM json_each(?)) AND j.state >= ${SUCCEEDED}`,
    );
    this.#states = query(
      db,
      'SELECT id, state FROM jobs WHERE id IN (SELECT value FROM json_each(?))',
    );
    this.#expired = query(
      db,
      `${jobs} WHERE j.lease_until <= ?1
         AND (?2 IS NULL OR l.handler IN (SELECT value FROM json_each(?2)))
         AND (?3 IS NULL OR l.handler NOT IN (SELECT value FROM json_each(?3)))
       ORDER BY j.lease_until, j.id LIMIT ?4`,
    );
    this.#leasesOf = query(
      db,
      `${jobs} WHERE j.lease_until > ? AND json_valid(j.lease) AND json_extract(j.lease, '$[0]') = ?
       ORDER BY json_extract(j.lease, '$[1]') DESC, j.id LIMIT ?`,
    );
    this.#policy = query(db, 'SELECT id, policy FROM policies WHERE hash = ?');
    this.#policies = query(db, 'SELECT count(*) FROM (SELECT 1 FROM policies LIMIT ?)');
    this.#log = new BlockLog(db);
    this.#list = new JobList(db, fastPaths);
    this.#pulse = new PulseQuery(db);
  }

  job(id: string): JobRow | undefined {
    return this.#job.get(id);
  }

  finished(ids: readonly string[]): JobRow[] {
    return this.#finished.all(JSON.stringify(ids));
  }

  states(ids: readonly string[]): [id: string, state: number][] {
    return this.#states.all(JSON.stringify(ids));
  }

  expiredLeases(
    limit: number,
    { handlers, otherThan, forMs = 0 }: ExpiredFilter,
    nowMs = systemClock.now(),
  ): JobRow[] {
    const list = (names: readonly string[] | undefined) =>
      names === undefined ? null : JSON.stringify(names);
    return this.#expired.all(nowMs - forMs, list(handlers), list(otherThan), limit);
  }

  leasesOf(worker: string, limit: number, nowMs = systemClock.now()): JobRow[] {
    return this.#leasesOf.all(nowMs, worker, limit);
  }

  pulse(handlers: readonly string[], nowMs = systemClock.now()): Pulse {
    return this.#pulse.pulse(handlers, nowMs);
  }

  jobs(request: ListRequest): FoundJobs {
    return this.#list.list(request);
  }

  counts(nowMs = systemClock.now()): Counts {
    return countJobs(this.#db, nowMs);
  }

  countPolicies(atMost: number): number {
    return this.#policies.get(atMost)?.[0] ?? 0;
  }

  policy(hash: string): FoundPolicy | undefined {
    const [id, policy] = this.#policy.get(hash) ?? [];
    return id === undefined || policy === undefined ? undefined : { id, policy };
  }

  auditBlocks(after: number, limit: number): AuditBlock[] {
    const blocks = this.#log.blocks(positionOf(after), limit);
    return blocks.map(({ position: _position, ...block }) => block);
  }

  preparePack(options: CompressOptions, nowMs?: number): PreparedPack | undefined {
    return preparePack(this.#db, options, nowMs);
  }

  unreadableJob(id: string): UnreadableJob | undefined {
    return unreadableJob(this.#db, id);
  }

  unreadableJobs(after?: string): UnreadablePage {
    return unreadableJobs(this.#db, after);
  }

  failing(request: FailingRequest): FoundFailing {
    return findFailing(this.#db, request);
  }
}
