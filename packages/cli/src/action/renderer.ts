import type { Invocation } from '../command/command-spec.ts';
import type { Cell, Column } from '../terminal/table.ts';

/** An answer that is to be shown. `A` is the answer of the action. */
export interface Shown<A> {
  readonly invocation: Invocation;
  readonly io: Invocation['io'];
  readonly options: Invocation['options'];
  readonly answer: A;
  /** The store's time of the answer. */
  readonly nowMs: number;
  /** Where the answer is from: the URL of the store or of the server, without credentials. */
  readonly place: string;
  /** The store did not exist, and was created, or would be. */
  readonly created: boolean;
}

/** How the answer of an action is shown to people. With `--json` the answer itself is printed. */
export type Renderer =
  // biome-ignore lint/suspicious/noExplicitAny: `textOf` and `listOf` tie each renderer to the answer of its action.
  | { readonly kind: 'text'; readonly print: (shown: Shown<any>) => void; readonly beside?: Beside }
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  | { readonly kind: 'list'; readonly list: (shown: Shown<any>) => ShownList<any> };

/** Fields of the JSON document beside those of the answer. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
type Beside = (shown: Shown<any>) => object;

/** A list whose items are a field of the answer. The other fields of the answer are printed beside them. */
export interface ShownList<Item> {
  /** The field of the answer that holds the items. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly row: (item: Item) => readonly Cell[];
  /** A sentence for an empty list. */
  readonly none: string;
  readonly below?: readonly string[];
  /** Items that the page has looked at, if it ended for that. */
  readonly looked?: number | undefined;
  /** The text for people, in place of the table. */
  readonly lines?: (io: Invocation['io']) => readonly string[];
}

/** Prints an answer as text. `Answer` is `AnswerOf<typeof ACTIONS.gates.release>`. */
export function textOf<Answer>(
  print: (shown: Shown<Answer>) => void,
  beside?: (shown: Shown<Answer>) => object,
): Renderer {
  return { kind: 'text', print, ...(beside && { beside }) };
}

/** Prints an answer as a table. */
export function listOf<Answer, Item>(list: (shown: Shown<Answer>) => ShownList<Item>): Renderer {
  return { kind: 'list', list };
}
