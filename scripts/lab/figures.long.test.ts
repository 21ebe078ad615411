import { describe, expect, test } from 'vitest';
import { EXPERIMENTS } from './experiments.ts';

describe('figures to reproduce', () => {
  test.each(EXPERIMENTS.filter(({ slow }) => slow))(
    '$name',
    { timeout: 300_000 },
    async ({ run }) => {
      const missed = (await run()).filter(({ holds }) => !holds);
      expect(missed).toEqual([]);
    },
  );
});
