import { type ProblemLike, RedriveClientError } from './client-error.ts';

export interface ClientOptions {
  /** The address of the server: `https://redrive.example.org`. In a browser '' is the page's own. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …`. Absent: a browser sends its cookie. */
  readonly token?: string | undefined;
  /** Milliseconds until a call without an answer fails. Default 15,000. */
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
  /** Default: `timeoutMs` of the client. A stream may be silent for as long, by default for a minute, and may last for ever. */
  readonly timeoutMs?: number | undefined;
  /** A repetition with the same key gets the stored answer, where the action supports it. */
  readonly idempotencyKey?: string | undefined;
}

const TIMEOUT_MS = 15_000;
/** A server sends something every 15 seconds. */
const SILENCE_MS = 60_000;
/** Characters of an answer, or of an item of a stream. */
const MAX_CHARACTERS = 100_000_000;

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
  const sent = await send(client, at, input, options);
  const { ok, status } = sent.response;
  const document = parsed(await bodyOf(sent));
  if (!ok) throw problemIn(document, status);
  if (document === undefined) throw notJson(status);
  return document;
}

/**
 * The items of a stream (NDJSON), as they arrive. Leaving the loop ends the request. A stream that a connection or a proxy
 * cuts ends with an error, never early.
 *
 * @throws RedriveClientError
 */
export async function* items(
  client: ClientOptions,
  at: string,
  input: object = {},
  options: CallOptions = {},
): AsyncGenerator<unknown> {
  const sent = await send(client, at, input, options);
  const { ok, status } = sent.response;
  if (!ok) throw problemIn(parsed(await bodyOf(sent)), status);
  let [rest, line] = ['', ''];
  for await (const part of partsOf(sent, options.timeoutMs ?? SILENCE_MS)) {
    const lines = bounded(rest + part, status).split('\n');
    rest = lines.pop() ?? '';
    for (line of lines) if (line.trim() !== '') yield itemIn(line, status);
  }
  // An empty line ends a stream: a proxy may end it as if it were complete.
  if (rest !== '' || line.trim() !== '') throw sent.failed('the stream is not complete');
}

/** The body, as it arrives. `silenceMs`: for each part; absent: all of it arrives within the time of the call. */
async function* partsOf(
  { response, allow, failed }: Sent,
  silenceMs?: number,
): AsyncGenerator<string> {
  // Not every browser can iterate over a body.
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      if (silenceMs !== undefined) allow(silenceMs);
      const part = await reader?.read().catch((error: unknown) => {
        throw failed(error);
      });
      if (silenceMs !== undefined) allow();
      if (part?.value === undefined) return;
      yield decoder.decode(part.value, { stream: true });
    }
  } finally {
    allow();
    await reader?.cancel().catch(() => undefined);
  }
}

async function bodyOf(sent: Sent): Promise<string> {
  let text = '';
  for await (const part of partsOf(sent)) text = bounded(text + part, sent.response.status);
  return text;
}

function bounded(text: string, status: number): string {
  if (text.length <= MAX_CHARACTERS) return text;
  throw new RedriveClientError({ code: 'no_document', detail: 'The answer is too long.' }, status);
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
  /** Starts the timer again, or stops it. */
  readonly allow: (ms?: number) => void;
  /** The error for one of the connection. */
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
  const { url, token } = client;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    // The error of `fetch` would show it.
    const detail = 'Nothing was sent: a token is one line, without spaces.';
    throw new RedriveClientError({ code: 'not_authenticated', detail }, 0);
  }
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allow = (ms?: number) => {
    clearTimeout(timer);
    timer = ms === undefined ? ms : setTimeout(() => late.abort(), ms);
  };
  let isReached = false;
  const failed = (error: unknown) => {
    allow();
    if (signal?.aborted) return error;
    const server = url === '' ? 'The server' : `The server ${url}`;
    const detail = late.signal.aborted
      ? `${server} did not answer in time.`
      : `${isReached ? 'The connection to the server broke' : `${server} cannot be reached`}: ${reasonOf(error)}`;
    // Neither the address nor the error of `fetch` may show a password.
    const shown = detail.replaceAll(/\/\/\S*@/g, '//');
    return new RedriveClientError({ code: 'no_answer', detail: shown }, 0, { cause: error });
  };
  allow(timeoutMs);
  try {
    const response = await (client.fetch ?? fetch)(`${url.replace(/\/+$/, '')}${address}${query}`, {
      method,
      redirect: 'error',
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      headers: {
        accept: 'application/json',
        ...client.headers?.(),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(isGet ? {} : { 'content-type': 'application/json' }),
      },
      ...(isGet ? {} : { body: JSON.stringify(rest) }),
    });
    isReached = true;
    client.onHeaders?.(response.headers);
    return { response, allow, failed };
  } catch (error) {
    throw failed(error);
  }
}

/** Node's fetch hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const known = cause instanceof Error ? cause : error;
  const text = known instanceof Error ? known.message : String(known);
  if (text.includes('wrong version number')) return 'it does not use TLS there';
  return text.split('\n', 1)[0] ?? text;
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
