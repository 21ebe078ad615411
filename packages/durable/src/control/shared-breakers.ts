import type { EventSink } from '@redrive/core';
import type { ControlView } from './control-view.ts';
import { JobBreaker, type JobBreakerParts } from './job-breaker.ts';
import type { BreakerSettings } from './unreported-outcomes.ts';

export interface SharedBreakersParts extends Omit<JobBreakerParts, 'onChanged'> {
  readonly view: Pick<ControlView, 'get' | 'update' | 'onChange'>;
  readonly events?: EventSink | undefined;
}

/** Policies and handlers name dependencies: there are fewer of them. */
const MAX_BREAKERS = 10_000;

/** The breakers that all processes on a store share, by dependency, as one worker sees them. */
export class SharedBreakers {
  readonly #parts: SharedBreakersParts;
  readonly #breakers = new Map<string, JobBreaker>();

  constructor(parts: SharedBreakersParts) {
    this.#parts = parts;
    parts.view.onChange(() => {
      for (const breaker of this.#breakers.values()) breaker.look();
    });
  }

  /** The breaker of a dependency, or of the policy's id if it names none. */
  for(key: string, settings: BreakerSettings): JobBreaker {
    const known = this.#breakers.get(key);
    if (known !== undefined) {
      known.settings = settings;
      return known;
    }
    const { clock, events } = this.#parts;
    const breaker = new JobBreaker(key, settings, {
      ...this.#parts,
      onChanged: (change) => {
        try {
          events?.emit({ kind: 'breaker_changed', atMs: clock.now(), ...change });
        } catch {
          // A listener never harms a job.
        }
      },
    });
    if (this.#breakers.size >= MAX_BREAKERS) this.#forgetOldest();
    this.#breakers.set(key, breaker);
    return breaker;
  }

  /** Resolves when every outcome is written, or cannot be. */
  async written(): Promise<void> {
    await Promise.all([...this.#breakers.values()].map((breaker) => breaker.written()));
  }

  close(): void {
    for (const breaker of this.#breakers.values()) breaker.close();
  }

  /** Its state is in the store, except for the outcomes of the last moment. */
  #forgetOldest(): void {
    for (const [key, breaker] of this.#breakers) {
      breaker.close();
      this.#breakers.delete(key);
      return;
    }
  }
}
