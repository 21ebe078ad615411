import { hostname } from 'node:os';
import type { FullStore } from '@redrive/durable';
import { SHOP } from './shop/shop-config.ts';

/** A demo in another process. */
export interface OtherDemo {
  readonly pid: number;
  readonly sinceMs: number;
}

/** Workers report themselves more often than this. */
const SEEN_MS = 30_000;
const MOST_WORKERS = 100;

/** The demos that work on the store in other processes, the oldest first. One that was killed is none. */
export async function otherDemos(store: FullStore): Promise<readonly OtherDemo[]> {
  const { workers } = await store.workers({ limit: MOST_WORKERS, seenWithinMs: SEEN_MS });
  return workers
    .filter(({ handlers, host, pid }) => {
      if (!handlers.includes(SHOP.order)) return false;
      return host === hostname() ? pid !== process.pid && isAlive(pid) : true;
    })
    .sort((a, b) => a.sinceMs - b.sinceMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of somebody else.
    return Object(error).code === 'EPERM';
  }
}
