import { expect, test } from 'vitest';
import { EXCESS, excess } from './faults/excess.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- sqlite --only excess`: everything once.
test.each(['sqlite', 'postgres'] as const)(
  'on %s, whatever a handler returns, prints or throws is cut, and reaches no log and no terminal as it is',
  { timeout: 120_000 },
  async (kind) => {
    const short = { ...EXCESS, rounds: 1, pages: 4 };
    const { figures, violations } = await withPlace(kind, (place) => excess(place, short));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ cases: 10, 'pages shown': 5 });
  },
);
