import type { Answers, ProblemDocument } from '@redrive/server/client';
import { noteServerTime } from './clock.ts';
import { keyHeaders } from './key.ts';
import { me } from './me.ts';

type Value = string | number | boolean | undefined | null | readonly string[];
/** Names of the path, and of the query. */
export type Input = Readonly<Record<string, Value>>;

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A refusal of the server, or no answer at all (`no_answer`, status 0). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly problems: readonly FieldProblem[];
  readonly requestId: string | undefined;

  constructor(document: Pick<ProblemDocument, 'status' | 'code' | 'detail'>, requestId?: string) {
    super(document.detail);
    this.status = document.status;
    this.code = document.code;
    this.detail = document.detail;
    this.requestId = requestId;
    const { problems } = document as { readonly problems?: unknown };
    // The server's validation sends a list; a problem document of a proxy may have another shape.
    this.problems = Array.isArray(problems) ? (problems as readonly FieldProblem[]) : [];
  }
}

/**
 * Reads a document: `get('/v1/jobs/:id', { id })`. Names in the path are taken from the input, the others go into the query.
 *
 * @throws ApiProblem
 */
export async function get<Path extends keyof Answers>(
  path: Path,
  input: Input = {},
  signal?: AbortSignal,
): Promise<Answers[Path]> {
  const { address, rest } = filled(path, input);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || value === null || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  const text = query.toString();
  const answer = await answerOf(text === '' ? address : `${address}?${text}`, {
    ...(signal && { signal }),
  });
  // The list of answers is made from the routes.
  return answer as Answers[Path];
}

/** Changes something. Names in the path are taken from the input, the others are the body. @throws ApiProblem */
export async function post<T = unknown>(
  path: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const { address, rest } = filled(path, input);
  const answer = await answerOf(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rest),
  });
  // The caller names the document of the route.
  return answer as T;
}

function filled(path: string, input: Readonly<Record<string, unknown>>) {
  const rest = { ...input };
  const address = path.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(input[name]));
  });
  return { address, rest: rest as Record<string, Value> }; // Of a POST any JSON, which is not looked at.
}

async function answerOf(address: string, init: RequestInit): Promise<unknown> {
  const headers = { ...init.headers, ...keyHeaders() };
  const response = await fetch(address, { ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    const detail = 'The server does not answer. Check that it runs, then try again.';
    throw new ApiProblem({ status: 0, code: 'no_answer', detail });
  });
  noteServerTime(response.headers.get('date'));
  const document: unknown = await response.json().catch(() => undefined);
  if (response.ok) return document;
  if (response.status === 401 && address !== '/v1/me') me.value = null;
  const fallback = { code: 'no_document', detail: `The server answered ${response.status}.` };
  const problem = { ...fallback, ...Object(document), status: response.status };
  throw new ApiProblem(problem, response.headers.get('x-request-id') ?? undefined);
}

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ApiProblem({ status: 0, code: 'page_error', detail });
}
