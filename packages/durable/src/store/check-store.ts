import { type FieldProblem, refuse } from '@redrive/core/fields';

/**
 * Refuses at once where plain JavaScript gives something else than a store, most often the promise of one: later it would
 * be a TypeError from deep inside, or nothing at all.
 *
 * @throws RedriveError `invalid_option`.
 */
export function checkStore(what: string, store: unknown): void {
  const message = problemOf(store);
  const problems: FieldProblem[] = message === undefined ? [] : [{ field: 'store', message }];
  refuse('invalid_option', what, problems);
}

function problemOf(store: unknown): string | undefined {
  if (typeof store !== 'object' || store === null) return NO_STORE;
  if ('then' in store) return 'store is a promise: await openStore(…)';
  const { apply, watch } = store as { readonly apply?: unknown; readonly watch?: unknown }; // Checked next.
  return typeof apply === 'function' && typeof watch === 'function' ? undefined : NO_STORE;
}

const NO_STORE = 'store must be a store, as openStore or memoryStore makes it';
