/** A test that fails where the statement is untrue. */
export interface Proof {
  /** From the root of the repository. */
  readonly file: string;
  /** The name of the test as the file has it, with the placeholders of a template. */
  readonly test: string;
}

/** One statement of a source document. */
export interface Statement {
  readonly id: string;
  readonly says: string;
  /** Tests, and ids of readings. */
  readonly by: readonly (Proof | string)[];
}

export interface SourceSection {
  readonly title: string;
  readonly statements: readonly Statement[];
}

export interface SourceDocument {
  readonly letter: string;
  readonly title: string;
  readonly sections: readonly SourceSection[];
}

/** The tests of one file: `testsOf(file)(name)` is a proof. */
export function testsOf(file: string): (test: string) => Proof {
  return (test) => ({ file, test });
}

export function section(title: string, ...statements: readonly Statement[]): SourceSection {
  return { title, statements };
}

export function says(id: string, text: string, ...by: readonly (Proof | string)[]): Statement {
  return { id, says: text, by };
}
