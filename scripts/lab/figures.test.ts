import { describe, expect, test } from 'vitest';
import { EXPERIMENTS } from './experiments.ts';

// The slow ones: figures.long.test.ts. `npm run lab -- figures` prints all of them.
describe('figures to reproduce', () => {
  test.each(EXPERIMENTS.filter(({ slow }) => !slow))(
    '$name',
    { timeout: 120_000 },
    async ({ run }) => {
      const missed = (await run()).filter(({ holds }) => !holds);
      expect(missed).toEqual([]);
    },
  );
});
