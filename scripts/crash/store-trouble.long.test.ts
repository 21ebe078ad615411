import { expect, test } from 'vitest';
import { STORE_TROUBLE, storeTrouble, type Trouble } from './faults/store-trouble.ts';
import { type StoreKind, withPlace } from './place.ts';

// The short forms of `npm run crash -- sqlite --only sync-error` and so on. A worker that is late on a busy machine says
// nothing.
const SHORT = {
  ...STORE_TROUBLE,
  ...{ jobs: 40, failures: 15, lockMs: 500, bunches: 8, noticedMs: 60_000, backMs: 60_000 },
};

test.each<[Trouble, StoreKind]>([
  ['sync error', 'sqlite'],
  ['disk full', 'sqlite'],
  ['slow disk', 'sqlite'],
  ['locked', 'sqlite'],
  ['locked', 'postgres'],
])(
  '%s on %s: the worker says so, loses nothing and goes on afterwards',
  {
    timeout: 120_000,
  },
  async (trouble, kind) => {
    const { figures, violations } = await withPlace(kind, (place) =>
      storeTrouble(place, { ...SHORT, trouble }),
    );
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ attempted: 40, 'not finished': 0 });
  },
);
