import type { Counts } from '@redrive/durable/store';
import type { Context } from '../action/context.ts';

/**
 * Warns that no job has this queue or handler. It may be stopped all the same, for those to come; it may as well be a slip,
 * and then nothing is held back.
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
