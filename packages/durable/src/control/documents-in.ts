import type { ControlKind, Controls } from './control-store.ts';
import { type ControlDocuments, documentOf } from './update-control.ts';

/** The documents of one kind, with their keys. */
export function documentsIn<K extends ControlKind>(
  { all }: Pick<Controls, 'all'>,
  kind: K,
): ReadonlyMap<string, ControlDocuments[K]> {
  const own = all.filter((control) => control.kind === kind);
  return new Map(own.map((control) => [control.key, documentOf<K>(control)]));
}
