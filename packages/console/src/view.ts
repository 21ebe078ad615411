import type { JSX } from 'preact';
import type { StatusDocument } from './status.ts';

/** A place of the navigation. `/jobs/<id>` is the view Jobs with `rest` `['<id>']`. */
export interface View {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  /** `g`, then this key, leads there. */
  readonly key?: string;
  /** Views of one group stand together. */
  readonly group: 0 | 1 | 2;
  readonly count?: (status: StatusDocument) => string | number | undefined;
  readonly isRed?: (status: StatusDocument) => boolean;
  readonly Page: (props: { readonly rest: readonly string[] }) => JSX.Element;
}
