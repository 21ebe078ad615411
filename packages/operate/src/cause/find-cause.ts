import type { FullStore } from '@redrive/durable';
import type { DeadGroup } from '@redrive/durable/dead-letters';
import { namedCause } from '@redrive/durable/store';
import { Refusal } from '../action/refusal.ts';

const FINGERPRINT = /^[a-z][a-z\d]{1,9}:[\da-f]{1,16}$/;
/** Causes that are compared with the beginning of a fingerprint, the newest death first. */
const PAGES = 10;
const PAGE = 100;

/**
 * The cause of dead letters that a person means: by its fingerprint, by the beginning of one that is unique, or by the name
 * that a rule or a handler gave it.
 *
 * @throws Refusal `not_found`: no dead letter has it; `conflict`: several begin so.
 */
export async function findCause(store: FullStore, given: string): Promise<DeadGroup> {
  const isFingerprint = FINGERPRINT.test(given);
  const fingerprint = isFingerprint ? given : namedCause(given).fingerprint;
  const { groups } = await store.deadGroups({ fingerprint }, { limit: 1 });
  const [exact] = groups;
  if (exact !== undefined) return exact;
  const close = isFingerprint ? await beginningWith(store, given) : [];
  const [first, second] = close;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    const names = close.slice(0, 5).map((each) => each.fingerprint);
    throw new Refusal('conflict', `Several causes begin with ${given}: ${names.join(', ')}.`);
  }
  const hint = 'Fingerprints and names are in "redrive dlq groups".';
  throw new Refusal('not_found', `No dead letter has the cause ${given}.`, hint);
}

async function beginningWith(store: FullStore, given: string): Promise<readonly DeadGroup[]> {
  const found: DeadGroup[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const { groups, next } = await store.deadGroups({}, { limit: PAGE, after });
    found.push(...groups.filter(({ fingerprint }) => fingerprint.startsWith(given)));
    after = next;
    if (after === undefined) break;
  }
  return found;
}
