import { compareText } from '@redrive/durable/store';
import { comparePlaces, type Flow, type Flows } from './flows.ts';
import type { Lane } from './lanes.ts';

/** A part of the line: whole tenants. */
interface Page {
  readonly flows: Flow[];
  /** The tenant that it ends with. Absent: the line ends here. */
  readonly last: string | undefined;
}

/**
 * The flows of the lanes that one claim may take from. It reads all flows in their order and skips those of other lanes,
 * which is cheap while they are few. After many flows of other lanes (handlers of other workers, paused queues, handlers
 * that have no room, or no longer) it reads its own lanes one by one instead.
 */
export class FlowLine {
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
  ) {
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
    for (let from: string | undefined = tenant; from !== undefined; ) {
      const { flows, last }: Page =
        this.#patience >= 0
          ? this.#ofLine(priority, from, limit)
          : this.#ofLanes(priority, from, limit);
      let first = 0;
      for (const [index, [, name]] of flows.entries()) {
        if (flows[index + 1]?.[1] === name) continue;
        yield flows.slice(first, index + 1);
        first = index + 1;
      }
      from = last === undefined ? undefined : behind(last);
    }
  }

  #ofLine(priority: number, tenant: string, limit: number): Page {
    const flows = this.#flows.from(priority, tenant, limit);
    const last = flows.length < limit ? undefined : flows.at(-1);
    if (last !== undefined) flows.push(...this.#flows.behind(priority, last));
    // A claim fills the room of a handler while it reads the line.
    const own = flows.filter(([number]) => {
      const lane = this.#lanes.get(number);
      return lane !== undefined && this.#isOpen(lane);
    });
    this.#patience -= flows.length - own.length;
    return { flows: own, last: last?.[1] };
  }

  #ofLanes(priority: number, tenant: string, limit: number): Page {
    const lanes = [...this.#lanes.values()].filter(this.#isOpen);
    const perLane = Math.ceil(limit / lanes.length);
    const flows: Flow[] = [];
    let last: string | undefined;
    for (const { lane } of lanes) {
      const some = this.#flows.ofLane(priority, lane, tenant, perLane);
      flows.push(...some);
      const end = some.length < perLane ? undefined : some.at(-1)?.[1];
      if (end !== undefined && (last === undefined || compareText(end, last) < 0)) last = end;
    }
    // A lane whose page is full may have more flows after its last tenant, so later tenants may be incomplete.
    const whole = flows.filter((flow) => last === undefined || compareText(flow[1], last) <= 0);
    return { flows: whole.sort(inLine), last };
  }
}

function inLine(a: Flow, b: Flow): number {
  return compareText(a[1], b[1]) || comparePlaces([a[2], a[3]], [b[2], b[3]]);
}

/** The smallest text that sorts after this one. */
function behind(text: string): string {
  return `${text}\u0000`;
}
