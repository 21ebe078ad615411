import { compareText } from '@redrive/durable/store';
import type { Lane } from './lanes.ts';
import { READY_ROW, type ReadyJobs, type ReadyRow } from './ready-jobs.ts';

/**
 * What becomes of a job that is offered. `pass`: its tenant's turn goes to the next job of it. `look again`: the same, but
 * another job may have come in behind it.
 */
export type Answer = 'take' | 'pass' | 'look again' | 'stop';

export interface Walk {
  readonly ready: ReadyJobs;
  readonly nowMs: number;
  /** How many jobs will be taken at most: so many are fetched at once, where one tenant has them. */
  readonly wanted: number;
  /** Whether anything of this lane can still be taken. */
  readonly isOpen: (lane: Lane) => boolean;
  /** Whether nothing of this tenant can be taken. */
  readonly isStopped: (tenant: string) => boolean;
  readonly offer: (row: ReadyRow, lane: Lane) => Answer;
}

/**
 * Offers ready jobs in the order of the queue: priority; within it tenants by turns, beginning after `afterTenant`; within
 * a tenant submission time, then id. A job that was passed over is not offered again.
 */
export function walkQueue(walk: Walk, lanes: readonly Lane[], afterTenant: string | null): void {
  const { ready } = walk;
  let heads = lanes.map((lane) => ({ lane, priority: ready.priority(lane.lane) }));
  for (;;) {
    heads = heads.filter(({ lane, priority }) => priority !== undefined && walk.isOpen(lane));
    const top = Math.max(...heads.map(({ priority }) => priority ?? -Infinity));
    if (top === -Infinity) return;
    const level = heads.filter(({ priority }) => priority === top);
    const open = level.map(({ lane }) => lane);
    if (walkLevel(walk, open, top, afterTenant) === 'stop') return;
    for (const head of level) head.priority = ready.priority(head.lane.lane, top);
  }
}

/** One priority: a turn for every tenant, then another one for those who took something, until nobody does. */
function walkLevel(
  walk: Walk,
  lanes: readonly Lane[],
  priority: number,
  afterTenant: string | null,
): Answer {
  const { wanted } = walk;
  let inTurn: TenantJobs[] = [];
  const tenants = tenantsInTurn(walk, lanes, priority, afterTenant);
  for (let names = next(tenants, wanted + 1); names.length > 0; names = next(tenants, wanted + 1)) {
    const atOnce = Math.ceil((wanted + 1) / names.length);
    for (const name of names) {
      const jobs = new TenantJobs(walk, lanes, priority, name, atOnce);
      const answer = offerTurn(walk, jobs);
      if (answer === 'stop') return 'stop';
      if (answer === 'take') inTurn.push(jobs);
    }
  }
  while (inTurn.length > 0) {
    const left: TenantJobs[] = [];
    for (const jobs of inTurn) {
      const answer = offerTurn(walk, jobs);
      if (answer === 'stop') return 'stop';
      if (answer === 'take') left.push(jobs);
    }
    inTurn = left;
  }
  return 'pass';
}

/** One turn of one tenant. `pass`: it has nothing that can be taken. */
function offerTurn(walk: Walk, jobs: TenantJobs): Answer {
  for (let found = jobs.next(); found !== undefined; found = jobs.next()) {
    const answer = walk.offer(found.row, found.lane);
    if (answer === 'look again') jobs.fetchAgain();
    else if (answer !== 'pass') return answer;
  }
  return 'pass';
}

/**
 * The tenants behind `afterTenant`, then the others up to it. One that is stopped costs a look, however many jobs it has.
 */
function* tenantsInTurn(
  { ready, isStopped }: Walk,
  lanes: readonly Lane[],
  priority: number,
  afterTenant: string | null,
): Generator<string> {
  const first = (behind?: string): string | undefined => {
    let least: string | undefined;
    for (const { lane } of lanes) {
      const tenant = ready.tenant(lane, priority, behind);
      if (tenant === undefined) continue;
      if (least === undefined || compareText(tenant, least) < 0) least = tenant;
    }
    return least;
  };
  if (afterTenant !== null) {
    for (let name = first(afterTenant); name !== undefined; name = first(name)) {
      if (!isStopped(name)) yield name;
    }
  }
  for (let name = first(); name !== undefined; name = first(name)) {
    if (afterTenant !== null && compareText(name, afterTenant) > 0) return;
    if (!isStopped(name)) yield name;
  }
}

function next(names: Generator<string>, count: number): string[] {
  const found: string[] = [];
  while (found.length < count) {
    const { value, done } = names.next();
    if (done) break;
    found.push(value);
  }
  return found;
}

type Place = readonly [submittedAt: number, id: string];

const BEFORE_ALL: Place = [Number.MIN_SAFE_INTEGER, ''];

/** What one lane has of a tenant's jobs, as far as it was fetched. */
interface Source {
  readonly lane: Lane;
  rows: readonly ReadyRow[];
  /** Of the next one in `rows`. */
  index: number;
  /** Of the last one that was offered. */
  last: Place;
  /** Nothing follows what was fetched. */
  isDone: boolean;
}

/** The jobs of one tenant at one priority, over all lanes, in the order of their submission. */
class TenantJobs {
  readonly #walk: Walk;
  readonly #priority: number;
  readonly #tenant: string;
  readonly #atOnce: number;
  readonly #sources: readonly Source[];

  constructor(
    walk: Walk,
    lanes: readonly Lane[],
    priority: number,
    tenant: string,
    atOnce: number,
  ) {
    this.#walk = walk;
    this.#priority = priority;
    this.#tenant = tenant;
    this.#atOnce = atOnce;
    this.#sources = lanes.map((lane) => {
      return { lane, rows: [], index: 0, last: BEFORE_ALL, isDone: false };
    });
  }

  next(): { readonly row: ReadyRow; readonly lane: Lane } | undefined {
    let first: { readonly row: ReadyRow; readonly source: Source } | undefined;
    for (const source of this.#sources) {
      const row = this.#head(source);
      if (row !== undefined && (first === undefined || isBefore(row, first.row))) {
        first = { row, source };
      }
    }
    if (first === undefined) return undefined;
    const { row, source } = first;
    source.index += 1;
    source.last = [row[READY_ROW.submittedAt], row[READY_ROW.id]];
    return { row, lane: source.lane };
  }

  /** What was fetched and not yet offered is not all that is there. */
  fetchAgain(): void {
    for (const source of this.#sources) {
      source.rows = [];
      source.index = 0;
      source.isDone = false;
    }
  }

  #head(source: Source): ReadyRow | undefined {
    const { ready, nowMs, isOpen } = this.#walk;
    if (!isOpen(source.lane)) return undefined;
    if (source.index === source.rows.length && !source.isDone) {
      const { lane } = source.lane;
      const count = this.#atOnce;
      source.rows = ready.jobs(lane, this.#priority, this.#tenant, source.last, nowMs, count);
      source.index = 0;
      source.isDone = source.rows.length < count;
    }
    return source.rows[source.index];
  }
}

function isBefore(a: ReadyRow, b: ReadyRow): boolean {
  const [atMs, otherAtMs] = [a[READY_ROW.submittedAt], b[READY_ROW.submittedAt]];
  if (atMs !== otherAtMs) return atMs < otherAtMs;
  return compareText(a[READY_ROW.id], b[READY_ROW.id]) < 0;
}
