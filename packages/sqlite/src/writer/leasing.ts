import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type HeartbeatAnswer, isFirstClaim } from '@redrive/durable/store';
import { CLAIM, type EncodedClaim } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { encodeLease } from '../job/job-row.ts';
import { decodeLife } from '../job/life-code.ts';
import { LEASED } from '../job/states.ts';
import { setSql } from '../job/transition-sql.ts';
import type { Lane } from './lanes.ts';
import type { Step } from './step.ts';
import { READY_ROW, type ReadyRow } from './tenant-jobs.ts';

/**
 * The values of a claimed job that the other thread does not know. Consecutive jobs with equal templates share one object,
 * so that it is copied once between the threads.
 */
export type ClaimedRow = readonly [
  template: ClaimedTemplate,
  id: string,
  submittedAt: number,
  payload: string | Uint8Array,
];

export type ClaimedTemplate = readonly [
  lane: number,
  tenant: string,
  priority: number,
  revision: number,
  token: number,
  deadlineAt: number | null,
  generationAt: number | null,
  spec: string | null,
  life: string | null,
  attempts: string | null,
];

export type ClaimedLane = readonly [queue: string, handler: string, lease: string];

/** Jobs that are leased by the same statement. */
interface Group {
  readonly lease: string;
  readonly hasKeys: boolean;
  readonly isFirst: boolean;
  readonly numbers: number[];
}

/** Collects the answer of one claim and its writes. */
export class Leasing {
  readonly rows: ClaimedRow[] = [];
  readonly lanes: ClaimedLane[] = [];
  readonly untilMs: number;
  readonly #step: Step;
  readonly #worker: string;
  readonly #alone: boolean;
  /** Indexes into `lanes`, by number of the lane. */
  readonly #places = new Map<number, number>();
  /** Four groups per lease: without and with keys or a deadline, each for later claims and for first ones. */
  readonly #groups = new Map<string, Group[]>();
  #lastTemplate: ClaimedTemplate | undefined;

  constructor(step: Step, command: EncodedClaim) {
    this.untilMs = step.nowMs + command[CLAIM.leaseMs];
    this.#step = step;
    this.#worker = command[CLAIM.worker];
    this.#alone = command[CLAIM.alone];
  }

  add(row: ReadyRow, lane: Lane, revision: number, token: number, policyHash: string): void {
    const place = this.#places.get(lane.lane) ?? this.#newLane(lane, policyHash);
    const lease = this.lanes[place]?.[2] ?? '';
    const hasKeys = row[READY_ROW.limitKey] !== null || row[READY_ROW.deadlineAt] !== null;
    const isFirst = isFirstClaim(decodeLife(row[READY_ROW.life]).account);
    const group = (hasKeys ? 1 : 0) + (isFirst ? 2 : 0);
    this.#groups.get(lease)?.[group]?.numbers.push(row[READY_ROW.n]);
    const generationAt = isFirst ? this.#step.nowMs : row[READY_ROW.generationAt];
    const template = this.#templateOf(row, place, revision, token, generationAt);
    const { id, submittedAt, payload } = READY_ROW;
    this.rows.push([template, row[id], row[submittedAt], row[payload]]);
  }

  /** Calls `update` for each group of jobs, with their shared values and their numbers. */
  write(update: (hasKeys: boolean, shared: SQLInputValue[], numbers: number[]) => void): void {
    const { block, nowMs } = this.#step;
    for (const { lease, hasKeys, isFirst, numbers } of [...this.#groups.values()].flat()) {
      update(hasKeys, [block, nowMs, this.untilMs - nowMs, lease, isFirst ? 1 : 0], numbers);
    }
  }

  #newLane({ lane, queue, handler }: Lane, policyHash: string): number {
    const sinceMs = this.#step.nowMs;
    const lease = encodeLease({ worker: this.#worker, sinceMs, policyHash, alone: this.#alone });
    const place = this.lanes.push([queue, handler, lease]) - 1;
    this.#places.set(lane, place);
    if (!this.#groups.has(lease)) {
      const groups = [false, true].flatMap((isFirst) =>
        [false, true].map((hasKeys) => ({ lease, hasKeys, isFirst, numbers: [] })),
      );
      this.#groups.set(lease, groups);
    }
    return place;
  }

  #templateOf(
    row: ReadyRow,
    place: number,
    revision: number,
    token: number,
    generationAt: number | null,
  ): ClaimedTemplate {
    const template: ClaimedTemplate = [
      place,
      row[READY_ROW.tenant],
      row[READY_ROW.priority],
      revision,
      token,
      row[READY_ROW.deadlineAt],
      generationAt,
      row[READY_ROW.spec],
      row[READY_ROW.life],
      row[READY_ROW.attempts],
    ];
    const last = this.#lastTemplate;
    if (last?.every((value, index) => value === template[index])) return last;
    this.#lastTemplate = template;
    return template;
  }
}

/** A lease of a heartbeat. `progress`: JSON. */
export type EncodedLease = readonly [id: string, token: number, progress: string | undefined];

/** Extends leases, and keeps the progress of their attempts. Writes no audit record. */
export class Heartbeat {
  readonly #find: Query<[n: number, until: number, cancelRequested: number]>;
  readonly #extend: Statement;
  readonly #report: Statement;

  constructor(db: DatabaseSync) {
    this.#find = query(
      db,
      `SELECT n, lease_until, cancel_requested FROM jobs WHERE id = ? AND token = ? AND state = ${LEASED}`,
    );
    const set = setSql('extend', { given: { now: '?1', leaseMs: '?2' } });
    this.#extend = statement(db, `UPDATE jobs SET ${set} WHERE n = ?3`);
    // The rule `given_or_kept` of the transition table: in the text, where it ends with the lease. See `LeaseCode`.
    this.#report = statement(
      db,
      `UPDATE jobs SET lease = json_set(lease, '$[3]', coalesce(lease ->> '$[3]', 0), '$[4]', json(?1))
       WHERE n = ?2 AND json_valid(lease)`,
    );
  }

  extend([id, token, progress]: EncodedLease, leaseMs: number, nowMs: number): HeartbeatAnswer {
    const [n, untilMs, cancelRequested] = this.#find.get(id, token) ?? [0, 0, 0];
    // An expired lease is not extended: another worker may be about to settle it.
    if (untilMs <= nowMs) return 'lost';
    if (nowMs + leaseMs > untilMs) this.#extend.run(nowMs, leaseMs, n);
    if (progress !== undefined) this.#report.run(progress, n);
    return cancelRequested === 0 ? 'held' : 'cancel';
  }
}

/** The columns of a leased job that settling its attempt needs. */
export type LeasedRow = [
  n: number,
  lane: number,
  state: number,
  revision: number,
  token: number,
  auditBlock: number,
  leaseUntil: number,
  cancelRequested: number,
  deadlineAt: number | null,
  uniqueKey: string | null,
  limitKey: string | null,
];

/** The places in a `LeasedRow`. */
export const LEASED_ROW = {
  n: 0,
  lane: 1,
  state: 2,
  revision: 3,
  token: 4,
  auditBlock: 5,
  leaseUntil: 6,
  cancelRequested: 7,
  deadlineAt: 8,
  uniqueKey: 9,
  limitKey: 10,
} as const;

/** Another process has changed a job that is in the cache. The transaction is repeated without the cache. */
export class OutdatedLease extends Error {}

/** Leases of dead processes are never settled here, so the cache is emptied at this size. */
const MAX_REMEMBERED = 20_000;

/**
 * The jobs that this process has claimed, as the claim has written them, so that a settlement need not read them. Another
 * change of a job by this process removes it from this cache. Another process may change a job too: so a settlement
 * changes only a row that still has the audit block of the claim, and throws `OutdatedLease` otherwise.
 */
export class OwnLeases {
  readonly #rows = new Map<string, LeasedRow>();

  add(id: string, row: LeasedRow): void {
    if (this.#rows.size >= MAX_REMEMBERED) this.#rows.clear();
    this.#rows.set(id, row);
  }

  /** The job, if nothing has changed it since the claim. */
  take(id: string): LeasedRow | undefined {
    const row = this.#rows.get(id);
    if (row !== undefined) this.#rows.delete(id);
    return row;
  }

  forget(id: string): void {
    this.#rows.delete(id);
  }

  clear(): void {
    this.#rows.clear();
  }
}
