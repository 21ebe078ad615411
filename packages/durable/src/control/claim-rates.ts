import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { ControlView } from './control-view.ts';
import { type ClaimRate, claimRate, type Rate } from './rules/rate.ts';
import { type Rates, ratesNow } from './rules/rate-options.ts';

/** Kind `rate`; its key is the name of the rate. So every process knows the limits of the others. */
export interface RateDocument {
  /** As the workers declare it. */
  readonly limit: number;
  readonly burst: number;
  /** An operator has changed it. */
  readonly set?:
    | {
        readonly limit: number;
        readonly burst: number;
        readonly by: string;
        readonly why?: string | undefined;
        readonly atMs: number;
      }
    | undefined;
}

export interface ClaimRatesParts {
  readonly handlers: ReadonlyMap<string, ResolvedHandler>;
  readonly queueRates: QueueRates;
  readonly view: Pick<ControlView, 'get' | 'of' | 'update' | 'onChange'>;
  /** An operator has changed a limit: jobs that wait for it may start. */
  readonly onSet: () => void;
}

/** Rates by queue, or a function that is asked before every claim. */
export type QueueRates = Readonly<Record<string, Rates>> | (() => Readonly<Record<string, Rates>>);

type Of = { readonly handler: string } | { readonly queue: string };

/** The rates of a worker's claims: those of its handlers and queues, as operators have changed them. */
export class ClaimRates {
  readonly #parts: ClaimRatesParts;
  /** The last rates that could be used, where they are a function. */
  readonly #last = new Map<string, readonly Rate[]>();
  /** The limits that this process has declared, by name. */
  readonly #declared = new Map<string, string>();
  #queues: readonly (readonly [queue: string, rates: Rates])[] = [];

  constructor(parts: ClaimRatesParts) {
    this.#parts = parts;
    this.#readQueues();
    const { view } = parts;
    let known = '';
    view.onChange(() => {
      const sets = [...view.of('rate').values()].map(({ document }) => document.set);
      const text = JSON.stringify(sets);
      if (text !== known) parts.onSet();
      known = text;
    });
  }

  /** Whether a rate may count jobs of this handler: then none is claimed ahead, because they would start at another time. */
  isRated({ name, rate }: ResolvedHandler): boolean {
    if (this.#queues.length > 0) return true;
    if (rate === undefined) return false;
    const last = this.#last.get(JSON.stringify({ handler: name }));
    return last === undefined || last.length > 0;
  }

  /** `undefined`: nothing limits a claim of these handlers. */
  of(handlers: Iterable<ResolvedHandler>): readonly ClaimRate[] | undefined {
    const found: ClaimRate[] = [];
    for (const { name, rate } of handlers) {
      if (rate !== undefined) found.push(...this.#ratesOf({ handler: name }, rate));
    }
    this.#readQueues();
    for (const [queue, rates] of this.#queues) found.push(...this.#ratesOf({ queue }, rates));
    return found.length === 0 ? undefined : found;
  }

  #readQueues(): void {
    const { queueRates } = this.#parts;
    try {
      this.#queues = Object.entries(typeof queueRates === 'function' ? queueRates() : queueRates);
    } catch {
      // The last ones stay in force.
    }
  }

  #ratesOf(of: Of, given: Rates): ClaimRate[] {
    const key = JSON.stringify(of);
    const rates = ratesNow(given) ?? this.#last.get(key) ?? [];
    this.#last.set(key, rates);
    return rates.map((rate) => this.#inForce(of, rate));
  }

  /** With the limit that an operator has set. */
  #inForce(of: Of, rate: Rate): ClaimRate {
    const declared = claimRate(of, rate);
    const { name } = declared;
    const set = this.#parts.view.get('rate', name)?.document.set;
    this.#declare(name, rate.limit, declared.burst);
    return set === undefined
      ? declared
      : claimRate(of, { ...rate, limit: set.limit, burst: set.burst });
  }

  #declare(name: string, limit: number, burst: number): void {
    const text = `${limit} ${burst}`;
    if (this.#declared.get(name) === text) return;
    this.#declared.set(name, text);
    const update = this.#parts.view.update({
      of: 'rate',
      key: name,
      next: (current) =>
        current?.limit === limit && current.burst === burst
          ? undefined
          : { ...current, limit, burst },
    });
    // It is tried again before the next claim. Until then lists do not show it.
    update.catch(() => this.#declared.delete(name));
  }
}
