import { nearest } from '@redrive/core/fields';
import type { Sweep } from '@redrive/durable/documents';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';

const NONE = 'Declare collections in redrive.yaml under sweeps.collections.';

export function unknownCollection(name: string, names: readonly string[]): Refusal {
  const close = nearest(name, names);
  const known = names.length > 0 ? `Known are: ${names.join(', ')}.` : NONE;
  const hint = close === undefined ? known : `Did you mean ${close}?`;
  return new Refusal('not_found', `No collection ${name} is swept.`, hint);
}

/** The collections of a list. @throws Refusal `not_found` */
export async function sweepsOf(
  { sweeps }: Context,
  name: string | undefined,
): Promise<readonly Sweep[]> {
  const all = await sweeps(name);
  if (name === undefined) return all;
  const found = all.filter((sweep) => sweep.name === name);
  if (found.length > 0) return found;
  throw unknownCollection(
    name,
    all.map((sweep) => sweep.name),
  );
}

/** The collection of this name. @throws Refusal `not_found` */
export async function sweepOf(context: Context, name: string): Promise<Sweep> {
  const [found] = await sweepsOf(context, name);
  if (found === undefined) throw unknownCollection(name, []);
  return found;
}
