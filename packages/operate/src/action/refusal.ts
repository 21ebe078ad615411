/** One problem of an input. A message that begins with a capital is a whole sentence; others follow the field's name. */
export interface InputProblem {
  readonly field: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The reason for which an action does nothing. Each has an exit code and an HTTP status. */
export type RefusalKind =
  /** The input is wrong. */
  | 'invalid_input'
  /** The thing does not exist, or nothing matches. */
  | 'not_found'
  /** A confirmation is missing. */
  | 'not_confirmed'
  /** A rule forbids it. */
  | 'refused'
  /** The role does not allow it. */
  | 'not_allowed'
  /** The current state does not allow it. */
  | 'conflict';

/** How an action refuses. The message says what happened and to what, the hint what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  readonly hint: string | undefined;
  readonly problems: readonly InputProblem[];
  /** What would change, if only the confirmation is missing. */
  readonly plan: object | undefined;

  constructor(
    kind: RefusalKind,
    message: string,
    hint?: string,
    problems: readonly InputProblem[] = [],
    plan?: object,
  ) {
    super(message);
    this.kind = kind;
    this.hint = hint;
    this.problems = problems;
    this.plan = plan;
  }
}

/** By its name and fields: two copies of this package may be loaded. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal' && 'kind' in error;
}
