/** The words of a text, as a type. */
export type Words<S extends string> = S extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : S;

/** The words of a text: a list that fits on a line. */
export function words<const S extends string>(text: S): readonly Words<S>[] {
  // The type does the same as the function.
  return text.split(' ') as Words<S>[];
}
