import type { Clock } from '@redrive/core';
import type { Shop } from './shop.ts';

/** An order comes in this time. */
const ORDER_EVERY_MS = 2_000;

/** Customers, who place orders until they are stopped. Returns how to stop them:
 * a call under way is cut off, and a sweep finds its order. */
export function customers(
  clock: Clock,
  shop: Pick<Shop, 'placeOrder'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stop = new AbortController();
  const placing = new Set<Promise<void>>();
  let timer = clock.setTimer(0, next);

  function next(): void {
    const placed = shop
      .placeOrder(stop.signal)
      .catch((error) => (stop.signal.aborted ? undefined : onError(error)))
      .finally(() => placing.delete(placed));
    placing.add(placed);
    timer = clock.setTimer(ORDER_EVERY_MS, next);
  }

  return async () => {
    timer.cancel();
    stop.abort();
    await Promise.all(placing);
  };
}
