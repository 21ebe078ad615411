import type { Counts } from '@redrive/durable/store';
import type { Context } from '../action/context.ts';

/**
 * Warns that no job has this queue or handler. It is stopped all the same, for future jobs; but the name may be a slip, and
 * then no job is held back.
 */
export function warnOfStranger(
  { warn }: Pick<Context, 'warn'>,
  { groups }: Pick<Counts, 'groups'>,
  scope: 'queue' | 'handler',
  name: string,
): void {
  const known = [...new Set(groups.map((group) => group[scope]))].sort();
  if (known.length === 0 || known.includes(name)) return;
  warn(`No job has the ${scope} ${name}; there are jobs of ${known.join(', ')}.`);
}
