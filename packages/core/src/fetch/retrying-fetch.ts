import { cancel, type HttpCallOptions, httpCalls, KEY_HEADER } from './http-calls.ts';
import { bodyToSend } from './request-body.ts';
import { sendCarefully } from './send-carefully.ts';

/** The options of `retryingFetch`. All are optional. */
export interface RetryingFetchOptions extends HttpCallOptions {
  /** Sends the requests. Default: the global `fetch`, as it is when a request is made. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * A `fetch` that retries, for your own calls and for any SDK that takes a `fetch`.
 *
 * ```ts
 * const fetch = retryingFetch({ policy: { maxAttempts: 4 }, timeoutMs: 5_000, idempotencyKey: 'auto' });
 * const response = await fetch('https://api.example.com/orders', { method: 'POST', body });
 * ```
 *
 * Returns the last response with any status, and throws the last error of `fetch` unchanged: `retryErrorOf` gives the
 * attempts of both. Rejects with the reason of the signal, with `attempt_timeout`, and with a `RetryError` where a
 * breaker is open. A POST or a PATCH is sent again only with an Idempotency-Key, after a 429, or if nothing of it was sent.
 *
 * @throws RedriveError `invalid_option`, `invalid_policy`, `breaker_missing`.
 */
export function retryingFetch(options: RetryingFetchOptions = {}): typeof fetch {
  const calls = httpCalls('options of retryingFetch', options, {
    fetch: [undefined, { kind: 'function' }],
  });

  return async (input, init) => {
    const send = options.fetch ?? fetch;
    const source = isRequest(input) ? input : undefined;
    const settings: RequestInit & { duplex?: 'half' } = membersOf(init);
    const signal = (settings.signal === undefined ? source?.signal : settings.signal) ?? undefined;
    const headers = new Headers(settings.headers ?? source?.headers);
    const method = (settings.method ?? source?.method ?? 'GET').toUpperCase();
    const url = source?.url ?? String(input);
    const request = { method, url, headers };

    const hadKey = headers.has(KEY_HEADER);
    const mayRepeat = calls.mayRepeat(request);
    if (headers.has(KEY_HEADER) !== hadKey) settings.headers = headers;
    const given = settings.body ?? source?.body;
    const { body, canSendAgain } = await bodyToSend(
      given,
      given !== settings.body || isRequest(init),
      options.bufferBytes,
      signal,
    );
    if (body !== undefined) {
      settings.body = body;
      if (!canSendAgain) settings.duplex = 'half';
    }
    const redirect = settings.redirect ?? source?.redirect ?? 'follow';
    const isCareful = redirect === 'follow' && !mayRepeat;
    const isStream = !canSendAgain && Boolean(given);
    const sendOnce = (signal: AbortSignal): Promise<Response> => {
      const sent = { ...settings, signal };
      if (!isCareful) return send(input, sent);
      const whole = { ...membersOf(source), ...sent };
      return sendCarefully(send, { ...request, input, settings: sent, whole, isStream });
    };
    return calls.run({ canSendAgain, mayRepeat, signal }, async (attempt) => {
      // The caller's signal ends the reading of the body too; the attempt's own ends with the headers.
      const own = attempt.signal;
      const both = signal && own !== signal ? (AbortSignal.any?.([signal, own]) ?? own) : own;
      const response = await sendOnce(both);
      // A `fetch` that ignores its signal: the attempt is over, and no caller gets the response.
      if (own.aborted) cancel(response);
      return response;
    });
  };
}

/** Also one of another realm or package. */
function isRequest(input: unknown): input is Request {
  return typeof input === 'object' && input !== null && 'url' in input && 'clone' in input;
}

/** Copies what `fetch` reads, which includes the getters of a `Request` that is given as `init`. */
function membersOf(init: RequestInit | undefined | null): RequestInit {
  const members: Record<string, unknown> = {};
  for (const name in init) members[name] = init[name as keyof RequestInit];
  return members;
}
