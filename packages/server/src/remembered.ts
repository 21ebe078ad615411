import type { FullStore } from '@redrive/durable';

const KEPT_MS = 5_000;
/** Answers that are kept; beyond them the oldest are dropped. */
const MAX_KEPT = 500;

interface Kept {
  readonly atMs: number;
  readonly answer: Promise<unknown>;
}

const kept = new WeakMap<FullStore, Map<string, Kept>>();

/**
 * The answer of the last five seconds, so that a hundred browsers read no more than one.
 *
 * @param key has everything that the answer depends on: the route, the filter, the tenant.
 */
export async function remembered<T>(
  store: FullStore,
  key: string,
  nowMs: number,
  read: () => Promise<T>,
): Promise<T> {
  const own = kept.get(store) ?? new Map<string, Kept>();
  kept.set(store, own);
  const last = own.get(key);
  // The key says which type the answer has.
  if (last !== undefined && nowMs - last.atMs < KEPT_MS) return last.answer as Promise<T>;
  for (const [each, { atMs }] of own) {
    if (own.size < MAX_KEPT && nowMs - atMs < KEPT_MS) break;
    own.delete(each);
  }
  own.delete(key);
  const answer = read();
  own.set(key, { atMs: nowMs, answer });
  answer.catch(() => own.get(key)?.answer === answer && own.delete(key));
  return answer;
}

/** After a change, so that its result shows at once. A read that is under way is not remembered then. */
export function forget(store: FullStore): void {
  kept.delete(store);
}
