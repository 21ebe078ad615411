import { answerOf } from '../classify/answer-of.ts';
import type { Classification, Classifier, ClassifyContext } from '../classify/classification.ts';
import { classify } from '../classify/classify.ts';
import { cancelBody, causesOf, fields, rememberGiveUp, statusOf } from '../classify/error-facts.ts';
import { httpErrors, httpResponses } from '../classify/tables/http.ts';
import { systemClock } from '../clock/system-clock.ts';
import { isRetryError } from '../errors/retry-error.ts';
import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import { definePolicy } from '../policy/define-policy.ts';
import type { Policy, ResolvedPolicy } from '../policy/policy.ts';
import { newId } from '../random/session-random.ts';
import type { Operation, ParentSession } from '../run/attempt-context.ts';
import { run } from '../run/retry.ts';
import { checkGuards, checkNames, type RetryOptions } from '../run/retry-options.ts';

/** The parts of a request that decide whether it may be sent again. */
export interface HttpRequest {
  /** In capitals. */
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

/** The options that `retryingFetch`, `redriveInterceptor` and `axiosAdapter` share. All are optional. */
export interface HttpCallOptions
  extends Pick<
    RetryOptions,
    | 'breaker'
    | 'budget'
    | 'bulkhead'
    | 'clock'
    | 'events'
    | 'killSwitch'
    | 'onRetry'
    | 'operation'
    | 'unref'
  > {
  /** How requests are retried. Default: the default policy, 3 attempts. */
  readonly policy?: Policy | undefined;
  /** Time limit of one attempt, from its start to the headers of its response. Default: the policy's `attemptTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * Requests that may be sent again after any failure: their methods, or a function of the request. Default: GET, HEAD,
   * OPTIONS, PUT and DELETE. A request with an Idempotency-Key always may. Any other is sent again only if nothing of it
   * was sent, and after a 429.
   */
  readonly repeat?: readonly string[] | ((request: HttpRequest) => boolean) | undefined;
  /** `auto`: a request that may not be sent again gets an Idempotency-Key, and then it may. Default: none is added. */
  readonly idempotencyKey?: 'auto' | undefined;
  /**
   * A stream of at most this many bytes is read before it is sent, so that it can be sent again. Default 0: a stream is
   * sent once. The body of a `Request` is always a stream; its default is 1 MiB.
   */
  readonly bufferBytes?: number | undefined;
  /** Called at the start of each request: the attempt that it is made in, such as `currentAttempt`. Default: none. */
  readonly parent?: (() => ParentSession | undefined) | undefined;
}

/** All options with their checks. `checkNames` and `checkGuards` check those that `retry` has too. */
const OPTIONS: OptionTable<HttpCallOptions> = {
  policy: [undefined],
  timeoutMs: [undefined, { kind: 'number', min: Number.MIN_VALUE, max: Infinity }],
  repeat: [
    ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'],
    { kind: 'list', of: ['string', 'function'] },
  ],
  idempotencyKey: [undefined, { kind: 'choice', values: ['auto'] }],
  bufferBytes: [undefined, { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER }],
  parent: [undefined, { kind: 'function' }],
  breaker: [undefined],
  budget: [undefined],
  bulkhead: [undefined],
  clock: [systemClock],
  events: [undefined],
  killSwitch: [undefined],
  onRetry: [undefined],
  operation: [undefined],
  unref: [undefined],
};

/** A request before its first attempt. */
interface HttpCall {
  /** `false`: its body can be read only once. */
  readonly canSendAgain: boolean;
  /** `true`: it may be sent again after any failure. */
  readonly mayRepeat: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Frees a response that no caller gets. Default: cancels its body. */
  readonly discard?: ((outcome: unknown) => void) | undefined;
}

interface Outcome<T> {
  value?: T;
  error?: unknown;
}

/** Requests with one policy and one set of guards. */
interface HttpCalls {
  /** Whether the request may be sent again after any failure. Adds an Idempotency-Key to its headers where it should. */
  mayRepeat(request: HttpRequest): boolean;
  /** Runs the call. The last response is returned and the last error thrown as it is; `retryErrorOf` knows the give-up. */
  run<T>(call: HttpCall, operation: Operation<T>): Promise<T>;
}

/**
 * @param own the options that only one of the adapters has.
 * @throws RedriveError `invalid_option`, `invalid_policy`, `breaker_missing`.
 */
export function httpCalls<T extends HttpCallOptions>(
  what: string,
  given: T,
  own: OptionTable<Omit<T, keyof HttpCallOptions>>,
): HttpCalls {
  // The casts: the table has the fields of both, and those of one adapter are not options of `retry`.
  const table = { ...OPTIONS, ...own } as unknown as OptionTable<HttpCallOptions>;
  const {
    policy,
    timeoutMs,
    repeat,
    idempotencyKey,
    bufferBytes: _,
    parent,
    ...others
  } = resolveOptions(what, given as HttpCallOptions, table);
  const rest: RetryOptions = { ...others };
  for (const name in own) Reflect.deleteProperty(rest, name);
  checkNames(rest);
  const policies = policiesOf(definePolicy(policy), timeoutMs);
  checkGuards(policies.again, rest);
  // The cast: the table makes a list of a function.
  const allowed = repeat as readonly (string | ((request: HttpRequest) => boolean))[];

  return {
    mayRepeat(request) {
      const { method, headers } = request;
      const isAllowed = allowed.some((one) =>
        // Not by a promise, which a function in plain JavaScript may return.
        typeof one === 'function' ? one(request) === true : one.toUpperCase() === method,
      );
      if (idempotencyKey && !isAllowed && !headers.has(KEY_HEADER)) {
        headers.set(KEY_HEADER, newId('redrive', rest.clock ?? systemClock));
      }
      return isAllowed || headers.has(KEY_HEADER);
    },
    async run<T>(call: HttpCall, operation: Operation<T>) {
      const { canSendAgain, mayRepeat, signal, discard = cancel } = call;
      const mode = !canSendAgain ? 'once' : mayRepeat ? 'again' : 'carefully';
      /** True during a wait, and before the first attempt: the last response, if any, was discarded. */
      let isWaiting = true;
      /** The outcome of the newest attempt. An earlier one that timed out may still end later. */
      let last: Outcome<T> = {};
      let isOver = false;
      try {
        return await run(
          async (attempt) => {
            isWaiting = false;
            const own: Outcome<T> = {};
            last = own;
            try {
              own.value = await operation(attempt);
              return own.value;
            } catch (error) {
              own.error = error;
              throw error;
            } finally {
              // A fake `fetch` may return the same object for several calls. An attempt that timed out ends with the error
              // that the caller has then.
              if (!isOver) rememberGiveUp(own.value ?? own.error);
            }
          },
          policies[mode],
          {
            ...rest,
            signal,
            parent: parent?.(),
            onUnknown: mode === 'carefully' ? 'give_up' : 'retry',
            onRetry(retry) {
              answerOf(() => rest.onRetry?.(retry));
              isWaiting = true;
              // Before the wait, so that it holds no socket.
              answerOf(() => discard(retry.error));
            },
          },
        );
      } catch (error) {
        isOver = true;
        // A breaker or a kill switch refused the next attempt, or it was another session that gave up.
        if (!isRetryError(error) || isWaiting || error === last.error) throw error;
        const { cause } = error;
        rememberGiveUp(cause, error);
        if (last.value !== undefined && cause === last.value) return last.value;
        throw cause;
      }
    },
  };
}

/** Frees the socket of a response that no caller gets. A body that is being read stays with its reader. */
export function cancel(outcome: unknown): void {
  cancelBody(fields(outcome).body);
}

/** Headers of axios or undici: an object, pairs, or a list of names and values in turn. */
export function headersOf(given: unknown): Headers {
  const bag = Object(given);
  const list: unknown[] = bag[Symbol.iterator] ? [...bag] : Object.entries(bag);
  const flat = Array.isArray(list[0]) ? list.flat() : list;
  const headers = new Headers();
  for (let at = 0; at < flat.length; at += 2) {
    // axios has `null` and `false` for headers that are not sent.
    const value = flat[at + 1] ?? false;
    if (value !== false) headers.append(String(flat[at]), String(value));
  }
  return headers;
}

export const KEY_HEADER = 'idempotency-key';

type Mode = 'again' | 'carefully' | 'once';

/** The policies of the three kinds of requests. Resolved once, because a policy is recognised by its object. */
function policiesOf(
  own: ResolvedPolicy,
  timeoutMs?: number,
): Readonly<Record<Mode, ResolvedPolicy>> {
  const judge = (response: unknown, context: ClassifyContext) =>
    own.classifyResult(response, context) ?? httpResponses(response, context);
  const attemptTimeoutMs = timeoutMs ?? own.attemptTimeoutMs;
  const classifiers = [...[own.classify].flat(), httpErrors];
  const again = definePolicy({
    ...own,
    attemptTimeoutMs,
    classify: classifiers,
    classifyResult: judge,
  });
  const careful: Classifier = (error, context) =>
    carefully(error, classify(error, again, context), wasNeverSent(error));
  const carefullyJudge = (response: unknown, context: ClassifyContext) => {
    const answer = judge(response, context);
    return answer && { ...answer, ...carefully(response, { effect: 'unknown', ...answer }, false) };
  };
  const lists = { retryableExceptions: [], nonRetryableExceptions: [] };
  return {
    again,
    carefully: definePolicy({
      ...again,
      ...lists,
      classify: careful,
      classifyResult: carefullyJudge,
    }),
    once: definePolicy({ ...again, maxAttempts: 1 }),
  };
}

/** For a request that must not be sent twice, only a 429 and a failed connection have no effect. */
function carefully(outcome: unknown, known: Classification, neverSent: boolean): Classification {
  const isHarmless = neverSent || statusOf(outcome) === 429 || known.effect !== 'none';
  return isHarmless ? known : { ...known, effect: 'unknown' };
}

/** Errors of requests that had reached a server, whatever code they have: a redirect led to a server that is down. */
const sent = /* @__PURE__ */ new WeakSet<object>();

/** Notes that the request had reached a server before it failed. */
export function noteSent(error: unknown): void {
  if (Object(error) === error) sent.add(error as object);
}

const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether no connection was made. `false` in browsers, whose errors have no code. */
function wasNeverSent(error: unknown): boolean {
  const causes = causesOf(error);
  if (causes.some((cause) => sent.has(cause as object))) return false;
  // If several addresses of a host failed, none of them may have been connected.
  const failures = causes.map(fields).filter(({ cause, errors }) => !cause && !errors);
  return failures.every(
    ({ code, syscall }) =>
      NEVER_SENT.test(String(code)) || (code === 'ETIMEDOUT' && syscall === 'connect'),
  );
}
