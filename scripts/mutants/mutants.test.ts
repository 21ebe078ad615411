import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUGS, type Mutant, nameOf, problemOf } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(MUTANTS.map((mutant): [string, Mutant] => [nameOf(mutant), mutant]))(
  'can still be planted: %s',
  (_, { changes, tests }) => {
    expect(changes.flatMap((change) => problemOf(ROOT, change) ?? [])).toEqual([]);
    expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  },
);

test('every bug is planted somewhere, and those of stores in both', () => {
  expect(new Set(MUTANTS.map(({ bug }) => bug))).toEqual(new Set(BUGS));
  const inBoth = [
    'fence dropped',
    'acknowledged before commit',
    'lease from the old clock',
    'audit outside the transaction',
    'ledger check-then-insert',
    'promotion without its guard',
    'claim past a kill switch',
    'control written over what nobody has seen',
  ];
  for (const where of ['sqlite', 'postgres']) {
    const planted = MUTANTS.filter((mutant) => mutant.where === where).map(({ bug }) => bug);
    expect(planted).toEqual(expect.arrayContaining(inBoth));
  }
});

test('a piece of source that has changed is told', () => {
  const file = 'scripts/mutants/mutant.ts';
  const problem = problemOf(ROOT, { file, find: ['not', 'there'].join(' at all '), replace: '' });
  expect(problem).toMatch(/found 0 times instead of once/);
});
