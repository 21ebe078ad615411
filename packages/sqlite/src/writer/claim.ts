import type { DatabaseSync } from 'node:sqlite';
import type { Suspect } from '@redrive/durable/store';
import { CLAIM, type EncodedClaim, LANE } from '../command/encoded.ts';
import type { Stops } from '../control/stops.ts';
import { ManyRows } from '../database/many-rows.ts';
import { type Query, query } from '../database/statement.ts';
import type { FastPaths } from '../fast-paths.ts';
import { rowProblem } from '../job/job-row.ts';
import { LEASED, READY } from '../job/states.ts';
import { setSql } from '../job/transition-sql.ts';
import type { Flows } from './flows.ts';
import type { Lane } from './lanes.ts';
import { type ClaimedLane, type ClaimedRow, Leasing, type OwnLeases } from './leasing.ts';
import type { LimitKeys } from './limit-keys.ts';
import { type Picked, Picking } from './picking.ts';
import type { Rates } from './rates.ts';
import { SetAside } from './set-aside.ts';
import type { Step } from './step.ts';
import { READY_ROW, ReadyJobs, type ReadyRow, type TenantJobs } from './tenant-jobs.ts';
import type { Upkeep } from './upkeep.ts';
import { FlowLine, type Walk, walkQueue } from './walk-queue.ts';

/** The most due jobs that one claim makes ready: a bound, so that a backlog of due jobs does not slow claims down. */
const promotedBy = (wanted: number): number => Math.min(Math.max(16, 2 * wanted), 1_000);

/** A claim's result, in the form that is sent between threads. */
export interface Claimed {
  readonly rows: readonly ClaimedRow[];
  /** Values that all jobs of a lane share. */
  readonly lanes: readonly ClaimedLane[];
  readonly untilMs: number;
  readonly auditBlock: number;
  readonly lastTenant: string | null;
  readonly more: boolean;
  readonly nowMs: number;
  readonly nextDueInMs: number | null;
  readonly suspects: readonly Suspect[] | undefined;
}

/** Claims ready jobs. */
export class Claim {
  readonly #flows: Flows;
  readonly #ready: ReadyJobs;
  readonly #limitKeys: LimitKeys;
  readonly #rates: Rates;
  readonly #stops: Stops;
  readonly #upkeep: Upkeep;
  readonly #ownLeases: OwnLeases;
  readonly #plain: ManyRows;
  readonly #withKeys: ManyRows;
  readonly #setAside: SetAside;
  readonly #nextDue: Query<[dueAt: number]>;
  readonly #foreignFlows: number;

  constructor(
    db: DatabaseSync,
    flows: Flows,
    limitKeys: LimitKeys,
    rates: Rates,
    stops: Stops,
    upkeep: Upkeep,
    ownLeases: OwnLeases,
    { claimedRows, foreignFlows }: FastPaths,
  ) {
    this.#flows = flows;
    this.#foreignFlows = foreignFlows;
    this.#ownLeases = ownLeases;
    this.#ready = new ReadyJobs(db);
    this.#setAside = new SetAside(db);
    this.#limitKeys = limitKeys;
    this.#rates = rates;
    this.#stops = stops;
    this.#upkeep = upkeep;
    const given = { block: '?1', now: '?2', leaseMs: '?3', lease: '?4', isFirst: '?5' };
    const update = (without: readonly string[]): ManyRows =>
      new ManyRows(db, {
        sizes: claimedRows,
        row: '?',
        own: 1,
        sql: (rows) =>
          `UPDATE jobs SET ${setSql('claim', { given, without })} WHERE n IN (${rows})`,
      });
    this.#plain = update(['limit_key', 'deadline_at']);
    this.#withKeys = update([]);
    this.#nextDue = query(
      db,
      'SELECT due_at FROM jobs WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1',
    );
  }

  claim(step: Step, command: EncodedClaim): Claimed {
    const wanted = command[CLAIM.limit] + command[CLAIM.ahead];
    const afterTenant = command[CLAIM.afterTenant];
    const only = command[CLAIM.only];
    const promotions = promotedBy(wanted);
    const promoted = this.#upkeep.promote(step, promotions);
    this.#limitKeys.widen(
      command[CLAIM.lanes].map((lane) => [lane[LANE.handler], lane[LANE.limitPerKey]]),
    );
    const rates = command[CLAIM.rates];
    const found = this.#rates.rooms(rates, step.nowMs);
    const rooms = rates.length === 0 ? undefined : found;
    const picking = new Picking(step.nowMs, command, this.#limitKeys, this.#rates, rooms);
    const lanes = this.#openLanes(step, command, picking);
    const isOpen = (lane: Lane): boolean => !picking.isUsedUp(lane) && picking.isOpen(lane.handler);
    const walk: Walk = {
      ready: this.#ready,
      line: new FlowLine(this.#flows, lanes, isOpen, this.#foreignFlows, step.nowMs),
      lanes,
      nowMs: step.nowMs,
      wanted,
      isOpen,
      isStopped: (tenant) => this.#stops.coverTenant(tenant),
      offer: (row, lane) => (this.#isReadable(step, row) ? picking.offer(row, lane) : 'pass'),
      passEmpty: () => picking.passEmpty(),
    };
    const met = only === null ? walkQueue(walk, afterTenant) : this.#offerOnly(walk, only);
    const leasing = new Leasing(step, command);
    for (const picked of picking.picked) this.#lease(step, leasing, picked);
    leasing.write((hasKeys, shared, rows) =>
      (hasKeys ? this.#withKeys : this.#plain).run(shared, rows),
    );
    for (const jobs of met) jobs.correct(this.#flows);
    const nextStartMs = rooms === undefined ? Infinity : this.#rates.keep(rates, rooms);
    const nextMs = Math.min(this.#nextDue.get()?.[0] ?? Infinity, nextStartMs);
    return {
      rows: leasing.rows,
      lanes: leasing.lanes,
      untilMs: leasing.untilMs,
      auditBlock: step.block,
      lastTenant:
        (only === null ? picking.picked.at(-1)?.row[READY_ROW.tenant] : undefined) ?? afterTenant,
      more: picking.more || promoted === promotions,
      nowMs: step.nowMs,
      nextDueInMs: nextMs === Infinity ? null : Math.max(0, nextMs - step.nowMs),
      suspects: picking.suspects.length === 0 ? undefined : picking.suspects,
    };
  }

  /** Whether the row can be read. An unreadable row is set aside, so that no later claim finds it. */
  #isReadable(step: Step, row: ReadyRow): boolean {
    const { n, id, spec, life, attempts } = READY_ROW;
    const problem = rowProblem({ spec: row[spec], life: row[life], attempts: row[attempts] });
    if (problem !== undefined) this.#setAside.row(step, row[n], row[id], problem);
    return problem === undefined;
  }

  /** Offers the jobs that the command names by id. Their flows may be empty after it. */
  #offerOnly(
    { ready, lanes, nowMs, isStopped, offer }: Walk,
    only: readonly string[],
  ): Pick<TenantJobs, 'correct'>[] {
    const met: Pick<TenantJobs, 'correct'>[] = [];
    for (const id of only) {
      const [number = 0, isHeld, row] = ready.job(id, nowMs) ?? [];
      const lane = lanes.get(number);
      if (row === undefined || lane === undefined || isStopped(row[READY_ROW.tenant])) continue;
      if (isHeld) this.#limitKeys.bringBack(row[READY_ROW.n]);
      const { tenant, priority } = READY_ROW;
      met.push({
        correct: (flows) => flows.removeIfEmpty(row[priority], number, row[tenant]),
      });
      if (offer(row, lane) === 'stop') break;
    }
    return met;
  }

  /** The lanes of the command's handlers and queues that have room and are not stopped, by number. */
  #openLanes(step: Step, command: EncodedClaim, picking: Picking): Map<number, Lane> {
    const queues = command[CLAIM.queues];
    const lanes = command[CLAIM.lanes]
      .flatMap((lane) => step.lanes.ofHandler(lane[LANE.handler]))
      .filter(({ queue, handler }) => {
        if (queues !== null && !queues.includes(queue)) return false;
        return !this.#stops.coverLane(queue, handler) && picking.isOpen(handler);
      });
    return new Map(lanes.map((lane) => [lane.lane, lane]));
  }

  #lease(step: Step, leasing: Leasing, { row, lane, settings, account }: Picked): void {
    const id = row[READY_ROW.id];
    const revision = row[READY_ROW.revision] + 1;
    const token = row[READY_ROW.token] + 1;
    leasing.add(row, lane, revision, token, settings[LANE.policyHash]);
    step.lanes.count(lane.lane, READY, LEASED);
    step.record({
      id,
      event: 'claim',
      from: READY,
      to: LEASED,
      revision,
      token,
      generation: account.generation,
      executions: account.executions + 1,
      previousBlock: row[READY_ROW.auditBlock],
      detail: settings[LANE.detail],
    });
    this.#ownLeases.add(id, [
      row[READY_ROW.n],
      lane.lane,
      LEASED,
      revision,
      token,
      step.block,
      leasing.untilMs,
      0,
      row[READY_ROW.deadlineAt],
      row[READY_ROW.uniqueKey],
      row[READY_ROW.limitKey],
    ]);
  }
}
