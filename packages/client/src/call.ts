import { type ProblemLike, RedriveClientError } from './client-error.ts';

export interface ClientOptions {
  /** The address of the server: `https://redrive.example.org`. In a browser '' is the page's own. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …`. Absent: a browser sends its cookie. */
  readonly token?: string | undefined;
  /** Milliseconds until a call without an answer fails. Default 15,000; streams have no limit once they have begun. */
  readonly timeoutMs?: number | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Gets the headers of each answer, such as the version of the server. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** A repetition with the same key gets the stored answer, where the action supports it. */
  readonly idempotencyKey?: string | undefined;
}

const TIMEOUT_MS = 15_000;

/**
 * Calls an address of the API: names in the path are taken from the input, the others become the query or the body.
 *
 * @throws RedriveClientError
 */
export async function call(
  client: ClientOptions,
  at: string,
  input: object = {},
  options: CallOptions = {},
): Promise<unknown> {
  const { response, settled } = await send(client, at, input, options);
  try {
    if (!response.ok) throw await problemIn(response);
    const document: unknown = await response.json().catch(() => undefined);
    if (document === undefined) throw notJson(response.status);
    return document;
  } finally {
    settled();
  }
}

async function problemIn(response: Response): Promise<RedriveClientError> {
  const document: unknown = await response.json().catch(() => undefined);
  return new RedriveClientError(Object(document) as ProblemLike, response.status); // Each field is checked.
}

/** The items of a stream (NDJSON), as they arrive. @throws RedriveClientError */
export async function* items(
  client: ClientOptions,
  at: string,
  input: object = {},
  options: CallOptions = {},
): AsyncGenerator<unknown> {
  const { response, settled } = await send(client, at, input, options);
  settled();
  if (!response.ok) throw await problemIn(response);
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield parsed(line, response.status);
  }
  if (rest !== '') yield parsed(rest, response.status);
}

function parsed(line: string, status: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw notJson(status);
  }
}

function notJson(status: number): RedriveClientError {
  const detail = 'The answer is not JSON: check that the address is that of a Redrive server.';
  return new RedriveClientError({ code: 'no_document', detail }, status);
}

async function send(
  client: ClientOptions,
  at: string,
  input: object,
  { signal, idempotencyKey }: CallOptions,
): Promise<{ readonly response: Response; readonly settled: () => void }> {
  const [method = 'GET', path = ''] = at.replace(/^stream /, '').split(' ');
  const { address, rest } = filled(path, input);
  const isGet = method === 'GET';
  const query = isGet ? queryOf(rest) : '';
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), client.timeoutMs ?? TIMEOUT_MS);
  const settled = () => clearTimeout(timer);
  try {
    const response = await (client.fetch ?? fetch)(
      `${client.url.replace(/\/+$/, '')}${address}${query}`,
      {
        method,
        redirect: 'error',
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
        headers: {
          accept: 'application/json',
          ...(client.token === undefined ? {} : { authorization: `Bearer ${client.token}` }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(isGet ? {} : { 'content-type': 'application/json' }),
        },
        ...(isGet ? {} : { body: JSON.stringify(rest) }),
      },
    );
    client.onHeaders?.(response.headers);
    return { response, settled };
  } catch (error) {
    settled();
    if (signal?.aborted) throw error;
    const detail = late.signal.aborted
      ? 'The server did not answer in time.'
      : `The server cannot be reached: ${reasonOf(error)}`;
    throw new RedriveClientError({ code: 'no_answer', detail }, 0, { cause: error });
  }
}

/** Node's fetch hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const known = cause instanceof Error ? cause : error;
  return known instanceof Error ? known.message : String(known);
}

function filled(path: string, input: object) {
  const rest: Record<string, unknown> = { ...input };
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { address, rest };
}

function queryOf(rest: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || value === null) continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
