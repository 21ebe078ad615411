import { fields } from '../classify/error-facts.ts';
import { type HttpCallOptions, headersOf, httpCalls, KEY_HEADER, noteSent } from './http-calls.ts';
import { bodyToSend } from './request-body.ts';

export type { HttpCallOptions, HttpRequest } from './http-calls.ts';

// The parts of undici that are used here: its types differ between its versions.
type Dispatch<R, H> = (request: R, handler: H) => boolean;
type Handler = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;
type Controller = Record<'abort' | 'pause' | 'resume', (reason?: unknown) => void>;

/**
 * An interceptor of undici 7 and later that retries by the rules of `retryingFetch`. Passes upgrades and tunnels on.
 *
 * ```ts
 * const dispatcher = new Agent().compose(redriveInterceptor({ policy: { maxAttempts: 4 }, timeoutMs: 5_000 }));
 * const { statusCode, body } = await request('https://api.example.com/orders', { dispatcher });
 * ```
 *
 * @throws RedriveError `invalid_option`, `invalid_policy`, `breaker_missing`.
 */
export function redriveInterceptor(
  options: HttpCallOptions = {},
): <R extends object, H extends object>(dispatch: Dispatch<R, H>) => Dispatch<R, H> {
  const calls = httpCalls('options of redriveInterceptor', options, {});
  return (dispatch) => (given, handler) => {
    const request = fields(given);
    if (request.upgrade || request.method === 'CONNECT') return dispatch(given, handler);
    // The casts: undici gets its request back, perhaps with another body, and a handler with the callbacks of its own.
    const send = dispatch as unknown as Dispatch<object, object>;
    void exchange(send, handler as Handler, async (signal, attempt) => {
      const headers = headersOf(request.headers);
      const hadKey = headers.has(KEY_HEADER);
      const method = String(request.method ?? 'GET').toUpperCase();
      const url = new URL(String(request.path), String(request.origin)).href;
      const mayRepeat = calls.mayRepeat({ method, url, headers });
      const kept = await bodyToSend(request.body, false, options.bufferBytes, signal);
      const sent: Record<string, unknown> = { ...request, body: kept.body ?? request.body };
      if (headers.has(KEY_HEADER) !== hadKey) sent.headers = [...headers].flat();
      return calls.run({ ...kept, mayRepeat, signal }, (context) => attempt(sent, context.signal));
    });
    return true;
  };
}

/** A response whose events are held back until it is taken or cancelled: only until the decision, which does no I/O. */
type Held = Readonly<Record<'status' | 'headers' | 'body', unknown>> & { take(): void };
type Attempt = (request: object, signal: AbortSignal) => Promise<Held>;

/** One request of the handler, which sees one controller and one response of all attempts. */
async function exchange(
  dispatch: Dispatch<object, object>,
  handler: Handler,
  work: (signal: AbortSignal, attempt: Attempt) => Promise<Held>,
): Promise<void> {
  const ended = new AbortController();
  let current: Controller | undefined;
  const control = (name: keyof Controller) => (reason?: unknown) => {
    if (name === 'abort') ended.abort(reason);
    current?.[name](reason);
  };
  const own = { abort: control('abort'), pause: control('pause'), resume: control('resume') };
  // Everything else, such as `rawHeaders`, is that of the current attempt.
  const get = (_: object, name: string) => Reflect.get(name in own ? own : (current ?? own), name);
  const controller = new Proxy(own, { get });

  const attempt: Attempt = (request, signal) =>
    new Promise((resolve, reject) => {
      let connected: Controller | undefined;
      let held: (() => void)[] | undefined = [];
      const pass =
        (name: string) =>
        (_: unknown, ...args: unknown[]) => {
          const call = () => void handler[name]?.(controller, ...args);
          if (held) held.push(call);
          else call();
        };
      const abort = () => connected?.abort(signal.reason);
      signal.addEventListener('abort', abort);
      dispatch(request, {
        onRequestStart(one: Controller) {
          current = connected = one;
          if (signal.aborted) abort();
        },
        onResponseStart(one: Controller, status: number, headers: unknown, text: unknown) {
          const start = () => handler.onResponseStart?.(controller, status, headers, text);
          if (status < 200) return start();
          const cancel = () => one.abort(new Error('The request is sent again'));
          const take = () => {
            start();
            for (const call of held ?? []) call();
            held = undefined;
          };
          return resolve({ status, headers, body: { cancel }, take });
        },
        onResponseData: pass('onResponseData'),
        onResponseEnd: pass('onResponseEnd'),
        onResponseError(one: Controller, error: unknown) {
          // With an interceptor that follows redirects below this one, it may be the error of the second server.
          if (connected) noteSent(error);
          reject(error);
          pass('onResponseError')(one, error);
        },
      });
    });
  try {
    // First of all, so that an abort ends every wait.
    handler.onRequestStart?.(controller, null);
    (await work(ended.signal, attempt)).take();
  } catch (error) {
    current?.abort(error);
    handler.onResponseError?.(controller, error);
  }
}
