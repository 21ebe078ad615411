import type { LookUp } from '@redrive/config';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';

/** Which policy this is about: its id, its name where that says more, and how it was found where that is not plain. */
export function subjectLine({ paint }: Screen, { policy, matchedBy, rule }: LookUp): string {
  const { id } = policy;
  const { name } = policy.policy;
  const plain = matchedBy === 'policy' || matchedBy === 'category';
  const found = plain ? [] : [paint('dim', `(found by ${printable(rule)})`)];
  const title = name === id ? [] : [printable(name)];
  return [paint('bold', printable(id)), ...title, ...found].join('  ');
}
