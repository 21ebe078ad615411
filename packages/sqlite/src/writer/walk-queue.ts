import { compareText } from '@redrive/durable/store';
import { comparePlaces, type Flow, type Flows } from './flows.ts';
import type { Lane } from './lanes.ts';
import { type Queue, type ReadyRow, TenantJobs } from './tenant-jobs.ts';

/**
 * The answer to an offered job. `take`: it will be leased. `pass`: the tenant's next job is offered in the same turn.
 * `look again`: the same, but another job may have been added after it. `stop`: the claim takes no more jobs.
 */
export type Answer = 'take' | 'pass' | 'look again' | 'stop';

export interface Walk extends Queue {
  /** The most jobs that will be claimed. */
  readonly wanted: number;
  /** Whether jobs of this tenant must not be claimed. */
  readonly isStopped: (tenant: string) => boolean;
  readonly offer: (row: ReadyRow, lane: Lane) => Answer;
  /** Called for a tenant whose flows were read and have no job. */
  readonly passEmpty: () => Answer;
}

/**
 * Offers ready jobs in the order of the queue: by priority; within a priority tenants take turns, beginning after
 * `afterTenant`; within a tenant by submission time, then id. A job that was passed is not offered again. Returns the
 * tenants that were read: their flows may need a correction.
 */
export function walkQueue(walk: Walk, afterTenant: string | null): TenantJobs[] {
  const met: TenantJobs[] = [];
  for (const priority of walk.line.priorities()) {
    if (walkLevel(walk, priority, afterTenant, met) === 'stop') break;
  }
  return met;
}

/**
 * One priority: a turn for every tenant, then turns for the tenants of claimed jobs, until no job is claimed. `pass`: the
 * next priority follows.
 */
function walkLevel(
  walk: Walk,
  priority: number,
  afterTenant: string | null,
  met: TenantJobs[],
): Answer {
  // One more than is wanted, to know whether there are more.
  const count = walk.wanted + 1;
  const tenants = walk.line.tenants(priority, afterTenant, count);
  let inTurn: TenantJobs[] = [];
  for (let some = next(walk, tenants, count); some.length > 0; some = next(walk, tenants, count)) {
    const atOnce = Math.ceil(count / some.length);
    const all = some.map((flows) => new TenantJobs(walk, priority, flows, atOnce));
    met.push(...all);
    const left = takeTurns(walk, all);
    if (left === 'stop') return 'stop';
    inTurn.push(...left);
  }
  while (inTurn.length > 0) {
    const left = takeTurns(walk, inTurn);
    if (left === 'stop') return 'stop';
    inTurn = left;
  }
  return 'pass';
}

/** The flows of the next tenants in turn, without those that are stopped. */
function next(walk: Walk, tenants: Iterator<Flow[]>, count: number): Flow[][] {
  const found: Flow[][] = [];
  while (found.length < count) {
    const { value, done } = tenants.next();
    if (done) break;
    if (!walk.isStopped(value[0]?.[1] ?? '')) found.push(value);
  }
  return found;
}

/** One turn for each tenant. Returns the tenants of claimed jobs. */
function takeTurns(walk: Walk, all: readonly TenantJobs[]): TenantJobs[] | 'stop' {
  const left: TenantJobs[] = [];
  for (const jobs of all) {
    const answer = offerTurn(walk, jobs);
    if (answer === 'stop') return 'stop';
    if (answer === 'take') left.push(jobs);
  }
  return left;
}

/** One turn of one tenant. `pass`: none of its jobs can be claimed. */
function offerTurn(walk: Walk, jobs: TenantJobs): Answer {
  let answer: Answer | undefined;
  for (let found = jobs.next(); found !== undefined; found = jobs.next()) {
    answer = walk.offer(found.row, found.lane);
    if (answer === 'look again') jobs.fetchAgain();
    else if (answer !== 'pass') return answer;
  }
  return answer ?? (jobs.isEmpty ? walk.passEmpty() : 'pass');
}

/** A part of the line: whole tenants. */
interface Page {
  readonly flows: Flow[];
  /** The tenant that it ends with. Absent: the line ends here. */
  readonly last: string | undefined;
}

/** The flows of one lane that were read and not yet yielded. */
interface LaneFlows {
  readonly lane: Lane;
  flows: Flow[];
  /** The tenant from which the lane may have more. Absent: all its flows were read. */
  from: string | undefined;
}

const MAX_AT_ONCE = 1_000;
/** Asking a lane costs more than reading some flows of it. */
const MIN_PER_LANE = 4;

/**
 * The flows of the lanes that one claim may take from. It reads all flows in their order and skips those of other lanes,
 * which is cheap while they are few. After many flows of other lanes (handlers of other workers, paused queues, handlers
 * that have no room, or no longer) it reads its own lanes one by one instead.
 */
export class FlowLine {
  readonly #nowMs: number;
  readonly #flows: Flows;
  readonly #lanes: ReadonlyMap<number, Lane>;
  readonly #isOpen: (lane: Lane) => boolean;
  /** The number of flows of other lanes that may still be skipped. */
  #patience: number;

  constructor(
    flows: Flows,
    lanes: ReadonlyMap<number, Lane>,
    isOpen: (lane: Lane) => boolean,
    foreignPerLane: number,
    nowMs: number,
  ) {
    this.#nowMs = nowMs;
    this.#flows = flows;
    this.#lanes = lanes;
    this.#isOpen = isOpen;
    this.#patience = foreignPerLane * lanes.size;
  }

  /** The priorities of all flows, the highest first. */
  *priorities(): Generator<number> {
    const below = (priority: number) => this.#flows.priorityBelow(priority);
    for (let next = below(Infinity); next !== undefined; next = below(next)) yield next;
  }

  /** The flows of each tenant, in the order of their first jobs: the tenants behind this one, then the others up to it. */
  *tenants(priority: number, afterTenant: string | null, limit: number): Generator<Flow[], void> {
    yield* this.#from(priority, afterTenant === null ? '' : behind(afterTenant), limit);
    if (afterTenant === null) return;
    for (const flows of this.#from(priority, '', limit)) {
      if (compareText(flows[0]?.[1] ?? '', afterTenant) > 0) return;
      yield flows;
    }
  }

  *#from(priority: number, tenant: string, limit: number): Generator<Flow[], void> {
    let from: string | undefined = tenant;
    // The first page is mostly enough. Behind it may be many flows of other lanes, so that pages grow.
    let atOnce = limit;
    while (from !== undefined && this.#patience >= 0) {
      const { flows, last }: Page = this.#ofLine(priority, from, atOnce);
      atOnce = Math.min(2 * atOnce, Math.max(limit, MAX_AT_ONCE));
      yield* perTenant(flows);
      from = last === undefined ? undefined : behind(last);
    }
    if (from !== undefined) yield* this.#ofLanes(priority, from, limit);
  }

  #ofLine(priority: number, tenant: string, limit: number): Page {
    const flows = this.#flows.from(this.#nowMs, priority, tenant, limit);
    const last = flows.length < limit ? undefined : flows.at(-1);
    if (last !== undefined) flows.push(...this.#flows.behind(this.#nowMs, priority, last));
    // A claim fills the room of a handler while it reads the line.
    const own = flows.filter(([number]) => {
      const lane = this.#lanes.get(number);
      return lane !== undefined && this.#isOpen(lane);
    });
    this.#patience -= flows.length - own.length;
    return { flows: own, last: last?.[1] };
  }

  /** Reads a few flows of every lane, and then only of those lanes whose flows were all yielded. */
  *#ofLanes(priority: number, tenant: string, limit: number): Generator<Flow[], void> {
    let lanes = [...this.#lanes.values()]
      .filter(this.#isOpen)
      .map((lane): LaneFlows => ({ lane, flows: [], from: tenant }));
    const atOnce = Math.max(MIN_PER_LANE, Math.ceil(limit / lanes.length));
    while (lanes.length > 0) {
      let end: string | undefined;
      for (const each of lanes) {
        if (each.flows.length === 0 && each.from !== undefined) {
          each.flows = this.#flows.ofLane(this.#nowMs, priority, each.lane.lane, each.from, atOnce);
          const last = each.flows.length < atOnce ? undefined : each.flows.at(-1);
          each.from = last && behind(last[1]);
        }
        const last = each.from === undefined ? undefined : each.flows.at(-1)?.[1];
        if (last !== undefined && (end === undefined || compareText(last, end) < 0)) end = last;
      }
      // A lane with more flows has them after its last tenant, so later tenants may be incomplete.
      const isWhole = ([, name]: Flow) => end === undefined || compareText(name, end) <= 0;
      const whole: Flow[] = [];
      for (const each of lanes) {
        const cut = each.flows.findIndex((flow) => !isWhole(flow));
        whole.push(...each.flows.splice(0, cut === -1 ? each.flows.length : cut));
      }
      yield* perTenant(whole.sort(inLine));
      lanes = lanes.filter(
        ({ lane, flows, from }) => (flows.length > 0 || from !== undefined) && this.#isOpen(lane),
      );
    }
  }
}

/** The flows of each tenant, which stand together. */
function* perTenant(flows: readonly Flow[]): Generator<Flow[], void> {
  let first = 0;
  for (const [index, [, name]] of flows.entries()) {
    if (flows[index + 1]?.[1] === name) continue;
    yield flows.slice(first, index + 1);
    first = index + 1;
  }
}

function inLine(a: Flow, b: Flow): number {
  return compareText(a[1], b[1]) || comparePlaces([a[2], a[3]], [b[2], b[3]]);
}

/** The smallest text that sorts after this one. */
function behind(text: string): string {
  return `${text}\u0000`;
}
