import type { EncodedClaim } from '../command/encoded.ts';
import { encodeLease, ROW } from '../job/job-row.ts';
import type { Lane } from './lanes.ts';
import type { ReadyRow } from './ready-jobs.ts';
import type { Step } from './step.ts';

/** What is not known on the other side of a job that was ready until now. */
export type ClaimedRow = readonly [
  lane: number,
  id: string,
  tenant: string,
  priority: number,
  submittedAt: number,
  revision: number,
  token: number,
  deadlineAt: number | null,
  generationAt: number | null,
  spec: string | null,
  life: string | null,
  payload: string | Uint8Array,
  attempts: string | null,
];

export type ClaimedLane = readonly [queue: string, handler: string, lease: string];

/** The answer of one claim, as it grows. */
export class Leasing {
  readonly rows: ClaimedRow[] = [];
  readonly lanes: ClaimedLane[] = [];
  readonly untilMs: number;
  readonly #worker: string;
  readonly #sinceMs: number;
  /** By hash of the policy. */
  readonly #leases = new Map<string, string>();
  /** Places in `lanes`, by number of the lane. */
  readonly #places = new Map<number, number>();

  constructor({ nowMs }: Step, [, worker, leaseMs]: EncodedClaim) {
    this.untilMs = nowMs + leaseMs;
    this.#worker = worker;
    this.#sinceMs = nowMs;
  }

  leaseOf(policyHash: string): string {
    let lease = this.#leases.get(policyHash);
    if (lease === undefined) {
      lease = encodeLease([this.#worker, this.#sinceMs, policyHash]);
      this.#leases.set(policyHash, lease);
    }
    return lease;
  }

  add(row: ReadyRow, lane: Lane, revision: number, token: number, lease: string): void {
    let place = this.#places.get(lane.lane);
    if (place === undefined) {
      place = this.lanes.push([lane.queue, lane.handler, lease]) - 1;
      this.#places.set(lane.lane, place);
    }
    this.rows.push([
      place,
      row[ROW.id],
      row[ROW.tenant],
      row[ROW.priority],
      row[ROW.submittedAt],
      revision,
      token,
      row[ROW.deadlineAt],
      row[ROW.generationAt],
      row[ROW.spec],
      row[ROW.life],
      row[ROW.payload],
      row[ROW.attempts],
    ]);
  }
}
