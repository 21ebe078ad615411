import { expect, test } from 'vitest';
import { checkSeeds } from './check-seeds.ts';
import { INVARIANTS } from './looks.ts';

// Planted bugs: planted-bugs.long.test.ts. `npm run lab -- invariants --seeds 10000` takes more seeds.
test('200 random ladders keep all nine invariants', { timeout: 180_000 }, async () => {
  const { held, found } = await checkSeeds({ first: 1, seeds: 200 });
  expect(found).toBeUndefined();
  for (const [at, name] of INVARIANTS.entries()) expect([name, held[at]]).not.toEqual([name, 0]);
});
