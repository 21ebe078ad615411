import type { ControlKind, Controls } from './control-store.ts';
import { type ControlDocuments, documentOf } from './update-control.ts';

/** The documents of one kind that can be read, with their keys. */
export function documentsIn<K extends ControlKind>(
  { all }: Pick<Controls, 'all'>,
  kind: K,
): ReadonlyMap<string, ControlDocuments[K]> {
  const own = all.filter((control) => control.kind === kind);
  return new Map(
    own.flatMap((control) => {
      const document = documentOf<K>(control);
      return document === undefined ? [] : [[control.key, document]];
    }),
  );
}
