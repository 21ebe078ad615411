import { createHmac } from 'node:crypto';
import { type Clock, systemClock } from '@redrive/core';
import { aClock, type FieldProblem, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { MAX_TIMER_MS } from '@redrive/core/stored';
import { MAX_STDOUT_BYTES, readResult } from '../command/read-exit.ts';
import type { HandlerDefinition, HandlerOptions } from '../handler/handler.ts';
import { HttpError } from '../handler/handler-errors.ts';
import type { JobContext } from '../handler/job-context.ts';
import { final, type Verdict } from '../handler/verdict.ts';
import type { AllowedTargets, SafeRequest } from './safe-request.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;

export interface HttpOptions {
  readonly url: string;
  /** GET and DELETE send no body. Default `POST`. */
  readonly method?: (typeof METHODS)[number] | undefined;
  /** Added to those that every request has. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Signs each request, as Standard Webhooks describes: `whsec_` and Base64, or a text; at least 24 bytes. Default: none. */
  readonly secret?: string | undefined;
  /** Of one attempt: name, connection and answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Which targets may be asked beside public addresses by https. Default: no others. */
  readonly allowed?: AllowedTargets | undefined;
  /** Certificates of authorities, in PEM, that are trusted beside those of Node. Default: none. */
  readonly ca?: string | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** For tests: the addresses of a name. */
  readonly resolve?: SafeRequest['resolve'];
}

/** Payload and answer. */
const MAX_BYTES = MAX_STDOUT_BYTES;
/** Of an answer that is an error, in its message. */
const MAX_SHOWN = 500;
/** The request itself sets these. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|idempotency-key|redrive-.*|webhook-.*)$/i;

const OPTIONS: OptionTable<HttpOptions> = {
  url: [null, { kind: 'string' }],
  method: ['POST', { kind: 'choice', values: METHODS }],
  headers: [undefined],
  secret: [undefined, { kind: 'string' }],
  timeoutMs: [30_000, { kind: 'number', min: 1, max: MAX_TIMER_MS }],
  allowed: [undefined],
  ca: [undefined, { kind: 'string' }],
  clock: [systemClock, aClock],
  resolve: [undefined, { kind: 'function' }],
};

/**
 * A handler that sends a request for each job.
 *
 * - The body is the payload: JSON, or the bytes as they are.
 * - The headers have `idempotency-key` (the same for every attempt), `redrive-job-id`, `redrive-attempt`, `redrive-token`
 *   and, where the job has a deadline, `redrive-deadline` (ISO 8601).
 * - A 2xx is success; its body, JSON or text of at most 1 MiB, is the result. Other statuses are classified by core's HTTP
 *   table, with Retry-After. A redirect is final: it is not followed.
 * - The target is a public address by https, unless `allowed` says otherwise. Its name is resolved once per attempt, and the
 *   connection goes to the address that was checked.
 *
 * ```ts
 * httpHandler({ url: 'https://shop.example/hooks/orders', secret: process.env.SHOP_SECRET });
 * ```
 *
 * @param options of the request, and those of any handler.
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function httpHandler<P = unknown, R = unknown>(
  options: HttpOptions & HandlerOptions<P>,
): HandlerDefinition<P, R> {
  const { url, method, headers, secret, timeoutMs, allowed, ca, clock, resolve, ...others } =
    options;
  const given = { url, method, headers, secret, timeoutMs, allowed, ca, clock, resolve };
  const resolved = resolveOptions('http', given, OPTIONS, 'invalid_option', wrongOption);
  return {
    ...others,
    // The receiver's answer is of the type that the caller names: nobody can check that here.
    run: async (payload, context) => (await sendRequest(resolved, payload, context)) as R,
  };
}

function wrongOption({ url, headers, secret }: Readonly<Record<string, unknown>>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (typeof url === 'string' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    problems.push({ field: 'url', message: 'url must begin with https: or http:' });
  const problem = headerProblem(headers ?? {});
  if (problem !== undefined) problems.push({ field: 'headers', message: `headers ${problem}` });
  if (typeof secret === 'string' && secretBytes(secret).length < MIN_SECRET_BYTES)
    problems.push({ field: 'secret', message: `secret must have ${MIN_SECRET_BYTES} bytes` });
  return problems;
}

/** Never with the value, which may be a secret. */
function headerProblem(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return 'must be an object of texts';
  // An import would load the HTTP module, and the client behind `fetch`, in every program: 30 ms and 14 MB.
  const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') return 'must be an object of texts';
    if (OWN_HEADERS.test(name)) return `must not have ${name}: the request sets it itself`;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return `must have names and values that HTTP can carry: ${JSON.stringify(name)}`;
    }
  }
  return undefined;
}

async function sendRequest(
  options: Required<HttpOptions>,
  payload: unknown,
  context: JobContext,
): Promise<unknown | Verdict> {
  const { url, method = 'POST', timeoutMs = 0, ca, resolve, clock = systemClock } = options;
  const isBytes = payload instanceof Uint8Array;
  const sent = isBytes ? payload : (JSON.stringify(payload) ?? '');
  const body = method === 'GET' || method === 'DELETE' ? undefined : sent;
  // webpack would write another file for it.
  const { safeRequest } = await import(/* webpackMode: "eager" */ './safe-request.ts');
  const answer = await safeRequest({
    ...{ url, method, timeoutMs, ca, resolve, clock, body, maxBytes: MAX_BYTES },
    headers: {
      'user-agent': 'redrive',
      ...(body !== undefined && {
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
      }),
      ...options.headers,
      ...jobHeaders(context),
      ...(options.secret !== undefined &&
        signatureHeaders(options.secret, {
          ...{ id: asHeader(context.idempotencyKey), body: body ?? '', nowMs: clock.now() },
        })),
    },
    allowed: options.allowed ?? {},
    signal: context.signal,
  });
  if (answer.kind === 'refused') return final(answer.why);
  if (answer.kind === 'failed') throw new HttpError(answer.why, { cause: answer.cause });
  const { status, bytes } = answer;
  if (status >= 200 && status < 300) return readResult(answer.body, bytes);
  const text = answer.body.trim().slice(0, MAX_SHOWN);
  const message = `${new URL(url).host} answered HTTP ${status}${text && `: ${text}`}`;
  if (status < 400) return final(`${message} (redirects are not followed)`);
  throw new HttpError(message, { answer });
}

function jobHeaders({ jobId, attempt, token, idempotencyKey, deadlineMs }: JobContext) {
  return {
    'idempotency-key': asHeader(idempotencyKey),
    'redrive-job-id': asHeader(jobId),
    'redrive-attempt': String(attempt),
    'redrive-token': String(token),
    ...(deadlineMs !== undefined && { 'redrive-deadline': new Date(deadlineMs).toISOString() }),
  };
}

/** Names and keys may have any letters, a header only some. */
function asHeader(text: string): string {
  return encodeURI(text.toWellFormed());
}

/** The standard asks for 24 to 64 bytes. */
const MIN_SECRET_BYTES = 24;

/** The bytes of a secret: `whsec_` is followed by Base64, anything else is taken as text. */
function secretBytes(secret: string): Buffer {
  const [, encoded] = /^whsec_([\w+/=-]+)$/.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
}

/**
 * The headers of a signed request, as Standard Webhooks describes them (www.standardwebhooks.com): a receiver computes the
 * same HMAC-SHA256 over `<id>.<timestamp>.<body>`, and refuses old timestamps.
 *
 * @param id the same for every attempt. Its dots are encoded: with them, another id, timestamp and body could have the same text.
 */
function signatureHeaders(
  secret: string,
  { id, body, nowMs }: { id: string; body: string | Uint8Array; nowMs: number },
): Readonly<Record<string, string>> {
  const key = id.replaceAll('.', '%2E');
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = createHmac('sha256', secretBytes(secret)).update(`${key}.${timestamp}.`);
  return {
    'webhook-id': key,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signed.update(body).digest('base64')}`,
  };
}
