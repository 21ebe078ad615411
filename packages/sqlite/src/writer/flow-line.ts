import { compareText } from '@redrive/durable/store';
import { comparePlaces, type Flow, type Flows } from './flows.ts';
import type { Lane } from './lanes.ts';

/** The next tenant in turn, with its flows in the order of their first jobs. */
export interface TenantFlows {
  readonly tenant: string;
  readonly flows: readonly Flow[];
  /** The last flow that was read, if the tenant has more flows. */
  readonly last: Flow | undefined;
}

/**
 * The flows of the lanes that one claim may take from. It reads all flows in their order and skips those of other lanes,
 * which is cheap while they are few. After many flows of other lanes (handlers of other workers, paused queues, handlers
 * without room) it reads its own lanes one by one instead.
 */
export class FlowLine {
  readonly #flows: Flows;
  readonly #lanes: ReadonlyMap<number, Lane>;
  /** The number of flows of other lanes that may still be skipped. */
  #patience: number;

  constructor(flows: Flows, lanes: ReadonlyMap<number, Lane>, foreignPerLane: number) {
    this.#flows = flows;
    this.#lanes = lanes;
    this.#patience = foreignPerLane * lanes.size;
  }

  /** The priorities of all flows, the highest first. */
  *priorities(): Generator<number> {
    const below = (priority: number) => this.#flows.priorityBelow(priority);
    for (let next = below(Infinity); next !== undefined; next = below(next)) yield next;
  }

  /** The tenants after this one, then the others up to it. */
  *tenants(
    priority: number,
    afterTenant: string | null,
    limit: number,
  ): Generator<TenantFlows, void> {
    yield* this.#from(priority, afterTenant === null ? '' : behind(afterTenant), limit);
    if (afterTenant === null) return;
    for (const each of this.#from(priority, '', limit)) {
      if (compareText(each.tenant, afterTenant) > 0) return;
      yield each;
    }
  }

  *#from(priority: number, tenant: string, limit: number): Generator<TenantFlows, void> {
    for (let from = tenant; ; ) {
      const page = this.#isPatient
        ? this.#fromLine(priority, from, limit)
        : this.#fromLanes(priority, from, limit);
      yield* page.tenants;
      if (page.last === undefined) return;
      from = behind(page.last);
    }
  }

  /** The tenant's flows after `last`. */
  flowsBehind(priority: number, last: Flow, limit: number): Omit<TenantFlows, 'tenant'> {
    if (!this.#isPatient) {
      const tenant = last[1];
      const all = [...this.#lanes.keys()].flatMap((lane) =>
        this.#flows.ofLane(priority, lane, tenant, 1),
      );
      const flows = all.filter((flow) => flow[1] === tenant && compareFlows(flow, last) > 0);
      return { flows: flows.sort(compareFlows), last: undefined };
    }
    const flows = this.#flows.behind(priority, last, limit);
    return { flows: this.#own(flows), last: flows.length < limit ? undefined : flows.at(-1) };
  }

  #fromLine(priority: number, tenant: string, limit: number): Page {
    const flows = this.#flows.from(priority, tenant, limit);
    const last = flows.length < limit ? undefined : flows.at(-1);
    return { tenants: byTenant(this.#own(flows), last), last: last?.[1] };
  }

  #fromLanes(priority: number, tenant: string, limit: number): Page {
    const perLane = Math.ceil(limit / this.#lanes.size);
    const all: Flow[] = [];
    let last: string | undefined;
    for (const lane of this.#lanes.keys()) {
      const flows = this.#flows.ofLane(priority, lane, tenant, perLane);
      all.push(...flows);
      const end = flows.length < perLane ? undefined : flows.at(-1)?.[1];
      if (end !== undefined && (last === undefined || compareText(end, last) < 0)) last = end;
    }
    // A lane whose page is full may have more flows after its last tenant, so later tenants may be incomplete.
    const known = last === undefined ? all : all.filter((flow) => compareText(flow[1], last) <= 0);
    return { tenants: byTenant(known.sort(compareFlows), undefined), last };
  }

  get #isPatient(): boolean {
    return this.#patience >= 0;
  }

  #own(flows: readonly Flow[]): Flow[] {
    const own = flows.filter(([lane]) => this.#lanes.has(lane));
    this.#patience -= flows.length - own.length;
    return own;
  }
}

interface Page {
  readonly tenants: readonly TenantFlows[];
  /** The last tenant of the page; `undefined`: there are no more. */
  readonly last: string | undefined;
}

/** @param last the last flow of a full page: its tenant may have more flows after this page. */
function byTenant(flows: readonly Flow[], last: Flow | undefined): TenantFlows[] {
  const tenants: TenantFlows[] = [];
  const add = (tenant: string, its: readonly Flow[]): void => {
    tenants.push({ tenant, flows: its, last: tenant === last?.[1] ? last : undefined });
  };
  let from = 0;
  for (const [index, [, tenant]] of flows.entries()) {
    if (flows[index + 1]?.[1] === tenant) continue;
    add(tenant, flows.slice(from, index + 1));
    from = index + 1;
  }
  if (last !== undefined && tenants.at(-1)?.tenant !== last[1]) add(last[1], []);
  return tenants;
}

function compareFlows(a: Flow, b: Flow): number {
  return compareText(a[1], b[1]) || comparePlaces([a[2], a[3]], [b[2], b[3]]) || a[0] - b[0];
}

/** The smallest text that sorts after this one. */
function behind(text: string): string {
  return `${text}\u0000`;
}
