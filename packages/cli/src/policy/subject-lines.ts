import type { LookUp } from '@redrive/config';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';

/** Which policy this is about: its id, its name where that says more, and how it was found where that is not plain. */
export function subjectLines({ paint }: Screen, { policy, matchedBy, rule }: LookUp): string[] {
  const { id } = policy;
  const { name } = policy.policy;
  const title = name === id ? [] : [printable(name)];
  const isPlain = matchedBy === 'policy' || matchedBy === 'category';
  const found = isPlain ? [] : [paint('dim', `found by ${printable(rule)}`)];
  return [[paint('bold', printable(id)), ...title].join('  '), ...found];
}
