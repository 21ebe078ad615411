import { ATTEMPT_MUTANTS } from './attempt-mutants.ts';
import { EFFECT_MUTANTS } from './effect-mutants.ts';
import type { Mutant } from './mutant.ts';

/** Each bug in every place where it can be, with the smallest set of tests that should notice. */
export const MUTANTS: readonly Mutant[] = [...ATTEMPT_MUTANTS, ...EFFECT_MUTANTS];
