import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type BlockList, isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Clock } from '@redrive/core';
import { isForbidden, listOf } from './forbidden-address.ts';

/** Which targets may be asked, and exceptions to the rule that a request goes to a public address, by https. */
export interface AllowedTargets {
  /** Hosts, with their port unless it is the default one: `shop.example`, `shop.example:8443`. Default: all. */
  readonly hosts?: readonly string[] | undefined;
  /** Hosts that may be asked without TLS, such as `alerts.internal` or `alerts.internal:9093`. Default: none. */
  readonly http?: readonly string[] | undefined;
  /** Addresses and ranges that are not public and may be asked, such as `10.1.0.0/16`. Default: none. */
  readonly private?: readonly string[] | undefined;
}

export interface SafeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** At most `maxBytes`. `undefined`: none, as for GET. */
  readonly body: string | Uint8Array | undefined;
  /** The most bytes of the body, and of the answer. Default `MAX_BODY_BYTES`. */
  readonly maxBytes?: number | undefined;
  /** Of everything together: name, connection and answer. */
  readonly timeoutMs: number;
  readonly allowed: AllowedTargets;
  /** Certificates of authorities, in PEM, that are trusted beside those of Node. Default: none. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The addresses of a name. Default: the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

export type SafeAnswer =
  /** The body is cut after `maxBytes`. A redirect is an answer like any other: it is not followed. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: string;
      /** Bytes of the body that arrived until it was cut: more than `maxBytes` for one that is not whole. */
      readonly bytes: number;
    }
  /** No connection was made, and none would be the next time: the rules forbid it. */
  | { readonly kind: 'refused'; readonly why: string }
  /** No answer: no address, no connection, or not within the time, which has no cause. */
  | { readonly kind: 'failed'; readonly why: string; readonly cause?: unknown };

export const MAX_BODY_BYTES = 65_536;

/**
 * Sends one HTTP request to a target that a configuration or a user named, such that it cannot be turned against the
 * network that Redrive runs in: the name is resolved once, every address of it is checked, and the connection goes to
 * the address that was checked, so a name server that answers differently the next time changes nothing. Redirects are
 * not followed, no proxy is used, and no connection is kept. Never throws. The reasons contain the host, never the path,
 * because paths of webhooks are secrets.
 */
export async function safeRequest(request: SafeRequest): Promise<SafeAnswer> {
  const { clock, timeoutMs, signal } = request;
  const target = targetOf(request);
  if ('why' in target) return target;
  const limit = new AbortController();
  const timer = clock.setTimer(timeoutMs, () => limit.abort());
  const stop = AbortSignal.any([limit.signal, signal]);
  try {
    return await Promise.race([whenStopped(stop), send(request, target, stop)]);
  } catch (error) {
    const { host } = target.url;
    if (limit.signal.aborted) return failed(`${host}: no answer within ${timeoutMs} ms`);
    return failed(`${host}: ${messageOf(error)}`, error);
  } finally {
    timer.cancel();
    limit.abort();
  }
}

interface Target {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly named: BlockList;
}

const refused = (why: string) => ({ kind: 'refused', why }) as const;
const failed = (why: string, cause?: unknown) =>
  ({ kind: 'failed', why, ...(cause !== undefined && { cause }) }) as const;

function targetOf({
  url: given,
  body = '',
  maxBytes = MAX_BODY_BYTES,
  allowed,
}: SafeRequest): Target | (SafeAnswer & { why: string }) {
  const url = URL.parse(given);
  if (url === null) return refused('The URL cannot be read');
  const { protocol, host, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:')
    return refused(`The URL begins with ${protocol}: only https: can be asked`);
  if (username !== '' || password !== '')
    return refused(`The URL of ${host} has a user or password`);
  if (allowed.hosts !== undefined && !lowered(allowed.hosts).includes(host))
    return refused(`${host} is not in the list of targets`);
  if (protocol === 'http:' && !isNamed(url, allowed.http ?? []))
    return refused(`${host} would be asked without TLS: write https:, or allow the host`);
  const bytes = Buffer.byteLength(body);
  if (bytes > maxBytes) return refused(`The body has ${bytes} bytes, more than ${maxBytes}`);
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return { url, host: bare, named: listOf(allowed.private ?? []) };
}

function isNamed({ host, hostname }: URL, hosts: readonly string[]): boolean {
  const lower = lowered(hosts);
  return lower.includes(host) || lower.includes(hostname);
}

function lowered(hosts: readonly string[]): readonly string[] {
  return hosts.map((each) => each.toLowerCase());
}

async function send(
  request: SafeRequest,
  target: Target,
  signal: AbortSignal,
): Promise<SafeAnswer> {
  const { host, named } = target;
  const resolve = request.resolve ?? systemResolve;
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const [address] = addresses;
  if (address === undefined) throw new Error('the name has no address');
  // A name with a public and a private address is a trick or a mistake.
  const wrong = addresses.find((each) => isForbidden(each, named));
  if (wrong !== undefined)
    return refused(`${target.url.host} is ${wrong}: not a public address, and it is not allowed`);
  signal.throwIfAborted();
  return answerOf(request, target, address, signal);
}

async function systemResolve(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

/** To the address that was checked: with a name in its place, Node would resolve it again. */
function answerOf(
  { method, headers, body, maxBytes = MAX_BODY_BYTES, ca }: SafeRequest,
  { url, host }: Target,
  address: string,
  signal: AbortSignal,
): Promise<SafeAnswer> {
  const isTls = url.protocol === 'https:';
  const options = {
    ...{ method, host: address, port: url.port || (isTls ? 443 : 80), signal },
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    // The name of the certificate. An address has none.
    ...(isTls && { servername: isIP(host) === 0 ? host : '' }),
    // Node takes this list in the place of its own.
    ...(ca !== undefined && { ca: [...getCACertificates(), ca] }),
    agent: isTls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
  };
  return new Promise((resolve, reject) => {
    const asked = (isTls ? httpsRequest : httpRequest)(options, (response) => {
      bodyOf(response, maxBytes).then((read) => {
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ kind: 'answered', status, headers: answered, ...read });
        asked.destroy();
      }, reject);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

async function bodyOf(response: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes).toString(), bytes };
}

function whenStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** `connect ECONNREFUSED 10.0.0.7:443`: of the first error, where Node tried several addresses. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
