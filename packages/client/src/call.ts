import { type ProblemLike, RedriveClientError } from './client-error.ts';

export interface ClientOptions {
  /** The address of the server: `https://redrive.example.org`. In a browser '' is the page's own. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …`. Absent: a browser sends its cookie. */
  readonly token?: string | undefined;
  /** Milliseconds until a call without an answer fails. Default 15,000. A stream has no limit once it has begun: end it with a signal. */
  readonly timeoutMs?: number | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Headers of every request, read for each: a key of the page, or what a proxy asks for. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Gets the headers of each answer, such as the version of the server. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CallOptions {
  /** Ends the call or the stream, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Default: `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
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
  const { response, settled, failed } = await send(client, at, input, options);
  try {
    const text = await response.text().catch((error: unknown) => {
      throw failed(error);
    });
    const document = parsed(text);
    if (!response.ok) throw problemIn(document, response.status);
    if (document === undefined) throw notJson(response.status);
    return document;
  } finally {
    settled();
  }
}

/** The items of a stream (NDJSON), as they arrive. Leaving the loop ends the request. @throws RedriveClientError */
export async function* items(
  client: ClientOptions,
  at: string,
  input: object = {},
  options: CallOptions = {},
): AsyncGenerator<unknown> {
  const { response, settled, failed } = await send(client, at, input, options);
  settled();
  const { body, ok, status } = response;
  if (!ok) throw problemIn(parsed(await response.text().catch(() => '')), status);
  // Not every browser can iterate over a body.
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const part = await reader?.read().catch((error: unknown) => {
        throw failed(error);
      });
      if (part?.value === undefined) break;
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield itemIn(line, status);
    }
    if (rest !== '') yield itemIn(rest, status);
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function itemIn(line: string, status: number): unknown {
  const item = parsed(line);
  if (item === undefined) throw notJson(status);
  return item;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemIn(document: unknown, status: number): RedriveClientError {
  return new RedriveClientError(Object(document) as ProblemLike, status); // Each field is checked.
}

function notJson(status: number): RedriveClientError {
  const detail = 'The answer is not JSON: check that the address is that of a Redrive server.';
  return new RedriveClientError({ code: 'no_document', detail }, status);
}

interface Sent {
  readonly response: Response;
  /** Stops the timer. */
  readonly settled: () => void;
  /** What to throw for an error of the connection. */
  readonly failed: (error: unknown) => unknown;
}

async function send(
  client: ClientOptions,
  at: string,
  input: object,
  { signal, idempotencyKey, timeoutMs = client.timeoutMs ?? TIMEOUT_MS }: CallOptions,
): Promise<Sent> {
  const [method = 'GET', path = ''] = at.split(' ');
  const { address, rest } = filled(path, input);
  const isGet = method === 'GET';
  const query = isGet ? queryOf(rest) : '';
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const settled = () => clearTimeout(timer);
  const failed = (error: unknown) => {
    settled();
    if (signal?.aborted) return error;
    const detail = late.signal.aborted
      ? 'The server did not answer in time.'
      : `The server cannot be reached: ${reasonOf(error)}`;
    return new RedriveClientError({ code: 'no_answer', detail }, 0, { cause: error });
  };
  try {
    const response = await (client.fetch ?? fetch)(
      `${client.url.replace(/\/+$/, '')}${address}${query}`,
      {
        method,
        redirect: 'error',
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
        headers: {
          accept: 'application/json',
          ...client.headers?.(),
          ...(client.token === undefined ? {} : { authorization: `Bearer ${client.token}` }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(isGet ? {} : { 'content-type': 'application/json' }),
        },
        ...(isGet ? {} : { body: JSON.stringify(rest) }),
      },
    );
    client.onHeaders?.(response.headers);
    return { response, settled, failed };
  } catch (error) {
    throw failed(error);
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
