import { isRedriveError } from '@redrive/core';
import { isRefusal, type RefusalKind } from '@redrive/operate/manifest';

/** A refusal that becomes a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** A code of docs/reference/errors.md, or one of the server's own. */
  readonly code: string;
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Every problem of the input at once. */
  readonly problems?: unknown;
  /** What would change, if only a confirmation is missing. */
  readonly plan?: unknown;
}

/** The status of each way in which an action refuses. */
const STATUS_OF_REFUSAL: Readonly<Record<RefusalKind, number>> = {
  invalid_input: 400,
  not_found: 404,
  not_confirmed: 409,
  refused: 409,
  not_allowed: 403,
  conflict: 409,
};

/** The status of each error code that a request can cause. Others are faults of the server or its store. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_option: 400,
  invalid_job: 400,
  invalid_policy: 400,
  not_canonical: 400,
  payload_too_large: 413,
  job_not_found: 404,
  batch_not_found: 404,
  batch_closed: 409,
  operation_not_found: 404,
  cause_rule_not_found: 404,
  unknown_handler: 404,
  unique_conflict: 409,
  operation_conflict: 409,
  not_a_dead_letter: 409,
  control_conflict: 409,
  idempotency_in_progress: 409,
  idempotency_conflict: 422,
  store_unavailable: 503,
  store_not_found: 503,
  schema_too_old: 503,
  schema_too_new: 503,
  store_forbidden: 503,
  documents_unavailable: 503,
  documents_refused: 503,
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported media type',
  422: 'Other parameters',
  429: 'Too many requests',
  503: 'Not available',
};

/** Any error as a problem document. The text of an unknown error stays in the server's log. */
export function problemDocument(error: unknown): ProblemDocument {
  if (error instanceof Problem) {
    return { ...of(error.status, error.code, error.message), ...error.details };
  }
  if (isRefusal(error)) {
    const { kind, message, hint, problems, plan } = error;
    return {
      ...of(STATUS_OF_REFUSAL[kind], kind, message),
      ...(hint !== undefined && { hint }),
      ...(problems.length > 0 && { problems }),
      ...(plan !== undefined && { plan }),
    };
  }
  if (isRedriveError(error)) {
    const status = STATUS[error.code] ?? 500;
    const { problems, hint } = error.details as Readonly<Record<string, unknown>>; // Only passed on.
    return {
      ...of(status, error.code, error.message),
      ...(typeof hint === 'string' && { hint }),
      ...(problems === undefined ? {} : { problems }),
    };
  }
  const status = statusOf(error);
  if (status >= 400 && status < 500 && error instanceof Error) {
    return of(status, status === 413 ? 'body_too_large' : 'bad_request', error.message);
  }
  return of(500, 'internal', 'The server failed. Its log has the error.');
}

function of(status: number, code: string, detail: string): ProblemDocument {
  return { type: 'about:blank', title: TITLES[status] ?? 'Server error', status, code, detail };
}

/** Fastify's errors have a status. */
function statusOf(error: unknown): number {
  const { statusCode } = Object(error) as { readonly statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : 500;
}

/** Not `not_found`: a command that reaches no Redrive server must not look as if nothing matched. */
export function noRoute(): Problem {
  return new Problem(404, 'no_route', 'There is no such route.');
}

export function forbidden(message: string): Problem {
  return new Problem(403, 'not_allowed', message);
}
