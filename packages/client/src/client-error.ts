/** A refusal of the server. `code` is one of the codes of the API's reference page. */
export class RedriveClientError extends Error {
  override readonly name = 'RedriveClientError';
  /** `no_answer`: the server could not be reached, or did not answer in time. */
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Every problem of the input. */
  readonly problems: readonly FieldProblem[];
  /** What would change, if only the confirmation is missing (`not_confirmed`). */
  readonly plan: object | undefined;
  /** Name the request by it in the server's log. */
  readonly requestId: string | undefined;

  constructor(document: ProblemLike, status: number, options?: ErrorOptions) {
    const { detail, code, hint, problems, plan, request_id } = document;
    super(typeof detail === 'string' ? detail : `The server answered ${status}.`, options);
    this.code = typeof code === 'string' ? code : 'no_document';
    this.status = status;
    this.hint = typeof hint === 'string' ? hint : undefined;
    // A proxy may send a document of another shape.
    this.problems = Array.isArray(problems) ? (problems as readonly FieldProblem[]) : [];
    this.plan = typeof plan === 'object' && plan !== null ? plan : undefined;
    this.requestId = typeof request_id === 'string' ? request_id : undefined;
  }
}

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

/** A problem document (RFC 9457), or what a proxy sends instead. */
export type ProblemLike = Readonly<
  Partial<Record<'detail' | 'code' | 'hint' | 'problems' | 'plan' | 'request_id', unknown>>
>;

export function isClientError(error: unknown): error is RedriveClientError {
  return error instanceof Error && error.name === 'RedriveClientError';
}
