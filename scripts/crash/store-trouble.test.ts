import { expect, test } from 'vitest';
import { STORE_TROUBLE, storeTrouble, TROUBLES } from './faults/store-trouble.ts';
import { type StoreKind, withPlace } from './place.ts';

// The short form of `npm run crash -- sqlite --only sync-error` and its like.
const SHORT = { ...STORE_TROUBLE, jobs: 40, failures: 12, lockMs: 4_000 };
const KINDS: readonly StoreKind[] = ['sqlite', 'postgres'];
const CASES = KINDS.flatMap((kind) => TROUBLES[kind].map((trouble) => ({ kind, trouble })));

// At once: most of the time they wait.
test.concurrent.each(CASES)(
  '$trouble on $kind: the worker says that it is not ready, loses nothing, and recovers by itself',
  { timeout: 120_000 },
  async ({ kind, trouble }) => {
    const { violations } = await withPlace(kind, (place) =>
      storeTrouble(place, { ...SHORT, trouble }),
    );
    expect(violations).toEqual([]);
  },
);
