import { Readable } from 'node:stream';
import { type Config, presetConfig } from '@redrive/config';
import { type Clock, newId, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Sweep } from '@redrive/durable/documents';
import { hostNames, hostOf, noteRead } from '@redrive/durable/store';
import { accessPort, type DoctorAnswer, parseInput } from '@redrive/operate';
import { atLeast } from '@redrive/operate/manifest';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AccessFile } from './access/access-file.ts';
import { Limit } from './access/limits.ts';
import { serverVersion } from './access/server-version.ts';
import { ProxyHeaders, type TrustedProxy } from './access/trusted-proxy.ts';
import type { Who } from './access/who.ts';
import { checkOrigin, SECURITY_HEADERS } from './browser.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { readConsole, sendConsole } from './console-files.ts';
import { Downloads } from './downloads.ts';
import { limitHeaderTime } from './header-time.ts';
import { type Notes, noteHeaders } from './notes.ts';
import { forbidden, noRoute, Problem, problemDocument } from './problem.ts';
import { readBody } from './read-body.ts';
import { forget, remembered } from './remembered.ts';
import type { AnyRoute, Ask, Connection } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { signedIn, signInActs } from './sign-in.ts';
import { withSignsOfLife } from './signs-of-life.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_URL = 8_192;
const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 2_000;
const WRONG_TRIES = 10;
/** Requests at once that read much of the store, and streams that last as long as their readers want. */
const MOST = { heavy: 2, endless: 20 };
/** Of these, streams of one token or user, so that none takes all of them. */
const MOST_OWN = { heavy: 1, endless: 4 };
/** A stream whose token or sign-in has ended is closed within this time. */
const STREAM_CHECK_MS = 15_000;
/** A stream is closed if its reader takes nothing for this time although something waits: it holds a place. */
const STALLED_MS = 60_000;

/** All that a server is made of. */
export interface AppParts {
  readonly store: FullStore;
  readonly access: AccessFile;
  /** The configuration in force. Default: the presets alone. */
  readonly config?: (() => Config) | undefined;
  /** The collections that are swept, with their databases open. Default: none. */
  readonly sweeps?: (() => Promise<readonly Sweep[]>) | undefined;
  /** Checks the installation, for `GET /v1/doctor`. Default: there is no such answer. */
  readonly doctor?: (() => Promise<DoctorAnswer>) | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Names under which it may be called, besides those of loopback: `redrive.example.org`. */
  readonly hosts?: readonly string[] | undefined;
  /** It stands behind TLS, so cookies are sent over TLS only. Default: if a trusted proxy says so. */
  readonly secure?: boolean | undefined;
  /** Its users need no token. Default: none. */
  readonly proxy?: TrustedProxy | undefined;
  /** Gets errors that are no answer: those of the server itself, and looks that could not be recorded. */
  readonly onError?: ((message: string, error?: unknown) => void) | undefined;
  /** Sent with every answer. Default: that of this package. */
  readonly version?: string | undefined;
  /** Default: all routes. */
  readonly routes?: readonly AnyRoute[] | undefined;
}

export interface App {
  readonly server: FastifyInstance;
}

/** Makes the HTTP API. Nothing listens yet. */
export function createApp(parts: AppParts): App {
  const { store, access, clock = systemClock, secure = false, routes = ROUTES } = parts;
  const { sweeps = async () => [], doctor } = parts;
  const config = parts.config ?? presets();
  const proxy = parts.proxy && new ProxyHeaders(parts.proxy);
  const onError = parts.onError ?? (() => undefined);
  const version = parts.version ?? serverVersion();
  const downloads = new Downloads(clock);
  const changes = new ChangeFeed(store, clock, onError);
  const wrong = new Limit(clock, 60_000);
  const taken = { heavy: 0, endless: 0 };
  const owned = new Map<string, number>();
  const rates = new Limit(clock, 1_000);
  const isKnownHost = hostNames(parts.hosts ?? []);
  const signInParts = { store, access, clock, secure, onError, noteWrong, ownerOf };
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: 1_024, caseSensitive: true },
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: 5_000,
    onProtoPoisoning: 'error',
    rewriteUrl: downloads.take,
    // Anybody else could write any address into `X-Forwarded-For`.
    trustProxy: proxy?.isTrusted ?? false,
    // For an address that cannot be decoded: no hook and no error handler is called.
    frameworkErrors: (error, request, reply) => {
      answerProblem(
        reply.headers(SECURITY_HEADERS).header('x-request-id', request.id),
        error,
        request,
        onError,
      );
    },
    genReqId: () => newId('req', clock),
    // Looked at every second: with Node's 30 s an idle connection would stay six times as long as it may.
    http: { headersTimeout: 5_000, maxHeaderSize: 16_384, connectionsCheckingInterval: 1_000 },
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  limitHeaderTime(server.server, clock);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: unknown, body: string) => readBody(body),
  );
  server.setErrorHandler((error, request, reply) => answerProblem(reply, error, request, onError));
  const files = readConsole();
  server.setNotFoundHandler(
    (request, reply) =>
      sendConsole(files, request, reply) ?? answerProblem(reply, noRoute(), request, onError),
  );
  server.addHook('preClose', async () => changes.close());
  server.addHook('onListen', () => {
    changes.start().catch((error: unknown) => onError('Changes cannot be read yet', error));
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    // Fastify looks at the address alone, and another program of the machine may have the same.
    if (proxy && !proxy.isOwn(request.headers)) removeForwarded(request.headers);
    if (request.url.length > MAX_URL)
      throw new Problem(414, 'url_too_long', 'The address is too long.');
    // A page of another site may lead its own name to this address.
    const { headers, raw, originalUrl } = request;
    if (!isKnownHost(hostOf({ headers, rawHeaders: raw.rawHeaders, url: originalUrl }))) {
      throw new Problem(403, 'unknown_host', 'This server does not answer under this host name.');
    }
  });

  for (const route of routes) {
    // Deny by default: a route without a role is a mistake, not an open door.
    if (route.role === undefined) throw new Error(`${route.method} ${route.path} has no role`);
    server.route({
      method: route.method,
      url: route.path,
      onRequest: async (request, reply) => {
        if (route.method === 'POST') checkOrigin(request.headers, request.headers.host ?? '');
        whoOf.set(request, await admit(route, request));
        // Only for callers who have shown who they are. The command line refuses acts on a server of another version.
        if (route.role !== 'public') reply.header('x-redrive-version', version);
        if (route.method === 'POST' && !isJson(request)) {
          throw new Problem(415, 'not_json', 'Send JSON: "Content-Type: application/json".');
        }
      },
      handler: async (request, reply) => {
        const who = whoOf.get(request) ?? NOBODY;
        return answer(route, request, reply, who);
      },
    });
  }

  async function admit(route: AnyRoute, request: FastifyRequest): Promise<Who> {
    if (route.role === 'public') return NOBODY;
    const who = identifyOrFail(request);
    if (who.by !== 'token' && route.method === 'POST') {
      checkOrigin(request.headers, request.headers.host ?? '', 'required');
    }
    takeRate(who);
    if (!atLeast(who, route.role)) {
      throw forbidden(`This needs the role ${route.role}; ${who.name} has the role ${who.role}.`);
    }
    if (who.tenant !== undefined && route.tenants !== true) {
      throw forbidden(`This is not for the token of one tenant (${who.tenant}).`);
    }
    return who;
  }

  /** @throws Problem 429 */
  function takeRate({ by, name, rate }: Who): void {
    if (rates.take(`${by}:${name}`, rate)) return;
    throw new Problem(429, 'rate_limited', `More than ${rate} requests in a second.`, {}, 1);
  }

  /** An access file that cannot be read is the server's fault: its path is for the log. */
  function identifyOrFail(request: FastifyRequest): Who {
    try {
      return identify(request);
    } catch (error) {
      throw error instanceof Problem ? error : new Error(messageOf(error), { cause: error });
    }
  }

  /** @throws Problem 401, or 429 after ten wrong tries in a minute. */
  function identify({ headers, ip, socket, raw }: FastifyRequest): Who {
    const nowMs = clock.now();
    const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    // Wrong keys of a sign-in are not counted: 512 random bits cannot be guessed, and a tab whose sign-in has ended keeps
    // asking, which must not lock out other users of its address.
    const who =
      token === undefined
        ? (proxy?.whoIn(headers, socket.remoteAddress, raw.rawHeaders) ??
          downloads.whoTakes(raw) ??
          signedIn(access, { headers }, nowMs))
        : checked(token, ip, nowMs);
    if (!who) throw unknown();
    return who;
  }

  /** A right token is always accepted; only wrong ones are counted. @throws Problem 429 */
  function checked(token: string, ip: string, nowMs: number): Who | undefined {
    const who = access.whoHas(token, nowMs);
    if (who === undefined) noteWrong(ip);
    return who;
  }

  /** @throws Problem 429 */
  function noteWrong(ip: string): void {
    if (!wrong.take(ip, WRONG_TRIES)) throw tooManyTries();
  }

  function ownerOf(token: string, ip: string): Who | undefined {
    const who = checked(token, ip, clock.now());
    if (who !== undefined) takeRate(who);
    return who;
  }

  /** As `identify`, for a check later on. `undefined`: the token or the sign-in has ended. */
  function identifyAgain(request: FastifyRequest): Who | undefined {
    try {
      return identify(request);
    } catch {
      return undefined;
    }
  }

  /** The same items. Closes their stream after the token or the sign-in of its reader has ended, or if it does not read. */
  function cutWhenOver<T>(
    items: AsyncIterable<T>,
    request: FastifyRequest,
    { closed, cut }: Connection,
  ): AsyncIterable<T> {
    let offeredMs = Infinity;
    const check = () => {
      const isStalled = clock.monotonic() - offeredMs >= STALLED_MS;
      if (isStalled || identifyAgain(request) === undefined) cut();
      else timer = clock.setTimer(STREAM_CHECK_MS, check);
    };
    let timer = clock.setTimer(STREAM_CHECK_MS, check);
    closed.addEventListener('abort', () => timer.cancel(), { once: true });
    return (async function* () {
      for await (const item of items) {
        offeredMs = clock.monotonic();
        yield item;
        offeredMs = Infinity;
      }
    })();
  }

  async function answer(
    route: AnyRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    who: Who,
  ): Promise<unknown> {
    // The address of a change may be in logs and links: its input is in the body alone.
    const input = route.method === 'GET' ? request.query : request.body;
    const given = { ...Object(input), ...Object(request.params) };
    const { reason, ...rest } = given as { readonly reason?: unknown };
    if (reason !== undefined && (typeof reason !== 'string' || reason.length > 1_000)) {
      throw new Problem(400, 'invalid_input', 'reason must be a text of at most 1,000 characters.');
    }
    if (route.reason && !reason) {
      throw new Problem(400, 'reason_missing', 'This needs a reason: it is kept in the audit log.');
    }
    const parsed = parseInput(route, rest);
    const by = `api:${who.name}@${request.ip}`;
    const why = reason;
    const { 'idempotency-key': key } = request.headers;
    const notes: Notes = { warnings: [] };
    const givenUp = new AbortController();
    const connection = connectionOf(request, reply);
    // Nobody waits for what it reads. A change goes on: half of it would be worse.
    const leave = () => givenUp.abort(new Problem(499, 'closed', 'The client has left.'));
    if (route.method === 'GET') connection.closed.addEventListener('abort', leave, { once: true });
    const ask: Ask<unknown> = {
      store,
      clock,
      config: config(),
      sweeps,
      access: accessPort(access, async (note) => void (await store.apply([note]))),
      doctor,
      who,
      actor: { name: by, ...(why === undefined ? {} : { why }) },
      input: parsed,
      key: typeof key === 'string' ? key : undefined,
      signIn: signInActs(signInParts, request, reply, { by, givenUp: givenUp.signal }),
      download: (path) => downloads.make(path, () => identifyAgain(request)),
      givenUp: givenUp.signal,
      changes,
      connection,
      ...noting(notes),
    };
    return withinTime(clock, { isChange: route.method === 'POST', givenUp }, async () => {
      await noteLook(route, request, { by, why, input: parsed });
      givenUp.signal.throwIfAborted();
      const release = take(route, who);
      try {
        const made: unknown = await (route.polled ? shared(route, ask, notes) : route.handle(ask));
        reply.headers(noteHeaders(notes));
        if (route.stream !== undefined && isIterable(made)) {
          reply.header('content-type', route.stream);
          const items = releasing(cutWhenOver(made, request, connection), release);
          // A stream that is closed before its first item never begins.
          const sent = Readable.from(items).once('close', release);
          return route.stream === 'application/x-ndjson' ? withSignsOfLife(sent, clock) : sent;
        }
        release();
        return made;
      } catch (error) {
        release();
        throw error;
      } finally {
        if (route.method === 'POST') forget(store);
      }
    });
  }

  /** One read for all who ask the same. It goes on when the first of them has left. */
  async function shared(route: AnyRoute, ask: Ask<unknown>, notes: Notes): Promise<unknown> {
    const key = JSON.stringify([route.path, ask.who.tenant, ask.config.hash, ask.input]);
    const givenUp = new AbortController().signal;
    const { document, said } = await remembered(store, key, clock.now(), async () => {
      const own: Notes = { warnings: [] };
      return { document: await route.handle({ ...ask, givenUp, ...noting(own) }), said: own };
    });
    Object.assign(notes, said);
    return document;
  }

  /** The place is free again when the work has ended, which may be after a 503. @throws Problem 429 */
  function take({ heavy, endless, stream }: AnyRoute, { by, name }: Who): () => void {
    const kind = heavy ? 'heavy' : endless ? 'endless' : undefined;
    if (kind === undefined) return () => undefined;
    const owner = `${kind} ${by}:${name}`;
    const own = owned.get(owner) ?? 0;
    if (stream !== undefined && own >= MOST_OWN[kind]) throw tooBusy(own, 'You have');
    if (taken[kind] >= MOST[kind]) throw tooBusy(MOST[kind], 'The server runs');
    const add = (count: 1 | -1) => {
      taken[kind] += count;
      if (stream === undefined) return;
      const left = (owned.get(owner) ?? 0) + count;
      if (left > 0) owned.set(owner, left);
      else owned.delete(owner);
    };
    add(1);
    let isTaken = true;
    return () => {
      if (isTaken) add(-1);
      isTaken = false;
    };
  }

  async function noteLook(
    route: AnyRoute,
    request: FastifyRequest,
    { by, why, input }: { by: string; why: string | undefined; input: unknown },
  ): Promise<void> {
    if (route.reads === undefined) return;
    const command = `${route.method} ${route.path}`;
    // Path parameters are what the look is about; a payload in a body is never part of a record.
    const args = Object.values(Object(request.params)).map(String);
    const wishes = route.method === 'GET' ? Object(request.query) : (route.wishes?.(input) ?? {});
    const look = { by, from: request.ip, command, reads: route.reads, why, args, wishes };
    await noteRead(
      store,
      { ...look, exports: route.exports ?? false },
      {
        nowMs: clock.now(),
        onNotRecorded: (message) => onError(`A look could not be recorded: ${message}`),
      },
    );
  }
  return { server };
}

/** Assembled once, because it is asked for by every request. */
function presets(): () => Config {
  const config = presetConfig();
  return () => config;
}

const whoOf = new WeakMap<FastifyRequest, Who>();
const NOBODY: Who = { name: 'nobody', role: 'viewer', rate: 0, by: 'token' };

function connectionOf({ headers }: FastifyRequest, { raw }: FastifyReply): Connection {
  const closed = new AbortController();
  // Not without a reason: the default is an error with a stack, which costs more than some answers.
  raw.once('close', () => closed.abort('closed'));
  const { 'last-event-id': id } = headers;
  return {
    lastEventId: typeof id === 'string' ? id : undefined,
    closed: closed.signal,
    cut: () => raw.destroy(),
  };
}

/** Removes the headers that address, host and protocol of a request are read from. */
function removeForwarded(headers: FastifyRequest['headers']): void {
  for (const name of ['for', 'host', 'proto']) delete headers[`x-forwarded-${name}`];
}

function noting(notes: Notes): Pick<Ask<unknown>, 'warn' | 'asOf'> {
  return {
    warn: (message) => notes.warnings.push(message),
    asOf: (nowMs) => {
      notes.asOfMs = nowMs;
    },
  };
}

/** The place is free before the reader sees the end: its next request may need it. */
async function* releasing<T>(items: AsyncIterable<T>, release: () => void): AsyncIterable<T> {
  yield* items;
  release();
}

function isIterable(made: unknown): made is AsyncIterable<string | Buffer> {
  return typeof made === 'object' && made !== null && Symbol.asyncIterator in made;
}

function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unknown(): Problem {
  return new Problem(401, 'not_authenticated', 'Send a token: "Authorization: Bearer …".');
}

function tooBusy(most: number, who: string): Problem {
  const message = `${who} ${most} such requests already. Try again when one has ended.`;
  return new Problem(429, 'too_busy', message, {}, 1);
}

function tooManyTries(): Problem {
  const message = 'Too many wrong tries from this address. Wait a minute.';
  return new Problem(429, 'too_many_tries', message, {}, 60);
}

function answerProblem(
  reply: FastifyReply,
  error: unknown,
  { id, method, routeOptions }: FastifyRequest,
  onError: (message: string, error?: unknown) => void,
): FastifyReply {
  const document = { ...problemDocument(error), request_id: id };
  // The address as the route has it: ids and filters of the request are not for a log.
  const what = [method, routeOptions?.url].filter(Boolean).join(' ');
  if (error instanceof Problem && error.retryAfterSeconds !== undefined) {
    reply.header('retry-after', error.retryAfterSeconds);
  }
  if (document.status >= 500) onError(`The request ${id} failed (${what})`, error);
  return reply.code(document.status).type('application/problem+json').send(document);
}

/** An answer that takes longer is given up: work that is under way ends by itself, and nothing more is begun. */
async function withinTime<T>(
  clock: Clock,
  { isChange, givenUp }: { readonly isChange: boolean; readonly givenUp: AbortController },
  work: () => Promise<T>,
): Promise<T> {
  const advice = isChange ? ' The change may still be carried out: look before you repeat it.' : '';
  const late = Promise.withResolvers<never>();
  const timer = clock.setTimer(REQUEST_MS, () => {
    const message = `The store did not answer within 10 seconds.${advice}`;
    const problem = new Problem(503, 'timeout', message);
    givenUp.abort(problem);
    late.reject(problem);
  });
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    timer.cancel();
  }
}
