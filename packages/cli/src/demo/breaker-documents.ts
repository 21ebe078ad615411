import type { CircuitBreakerState } from '@redrive/core';
import { breakers } from '@redrive/durable';
import { breakerDocument } from '@redrive/durable/control/rules';
import type { FullStore } from '@redrive/durable/store';

/** How the breakers that all workers share stand, as their state documents. */
export async function breakerDocuments(store: FullStore): Promise<CircuitBreakerState[]> {
  const all = await breakers(store);
  // What they say about themselves does not depend on the time, unless somebody has forced one.
  return all.map(({ dependency, breaker, state }) => ({
    ...breakerDocument(dependency, breaker, breaker.changedAtMs),
    state,
  }));
}
