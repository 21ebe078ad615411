import { createHash } from 'node:crypto';
import { canonicalJson } from '@redrive/core/idempotency';
import { Problem } from './problem.ts';
import type { Ask } from './route.ts';

const MAX_KEY = 200;

/**
 * Runs a change once per `Idempotency-Key`, through the store's ledger: a repetition gets the stored answer. The key
 * belongs to the one who sends it.
 *
 * @throws RedriveError `idempotency_in_progress` (409), `idempotency_conflict` (422): the key came with other parameters.
 */
export async function once<T>(
  ask: Ask<unknown>,
  input: unknown,
  run: () => Promise<T>,
): Promise<T> {
  const { key, store, who, clock } = ask;
  if (key === undefined) return run();
  if (key === '' || key.length > MAX_KEY) {
    throw new Problem(
      400,
      'invalid_input',
      `Idempotency-Key must have 1 to ${MAX_KEY} characters.`,
    );
  }
  const fingerprint = createHash('sha256').update(canonicalJson(input)).digest('hex');
  // A token may have the name of a user.
  const scope = who.by === 'proxy' ? 'api/proxy' : 'api';
  return store
    .ledger()
    .once({ key: `${scope}:${who.name}:${key}`, fingerprint, onInProgress: 'fail', clock }, run);
}
