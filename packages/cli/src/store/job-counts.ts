import type { Store } from '@redrive/durable';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

export { type CountsByState, counted, countStates, countText } from '@redrive/durable/store';

/**
 * Says that no job has this queue or handler. It may be stopped all the same, for those to come; it may as well be a
 * slip, and then nothing is held back.
 */
export async function tellStranger(
  io: Io,
  store: Pick<Store, 'counts'>,
  scope: 'queue' | 'handler',
  name: string,
): Promise<void> {
  const { groups } = await store.counts();
  const known = [...new Set(groups.map((group) => group[scope]))].sort();
  if (known.length === 0 || known.includes(name)) return;
  const text = `No job has the ${scope} ${name}; there are jobs of ${known.join(', ')}.`;
  io.stderr(`${printable(text)}\n`);
}
