import axios, {
  type AxiosAdapter,
  AxiosHeaders,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import { answerOf } from '../classify/answer-of.ts';
import { fields } from '../classify/error-facts.ts';
import {
  cancel,
  type HttpCallOptions,
  headersOf,
  httpCalls,
  KEY_HEADER,
  noteSent,
} from './http-calls.ts';
import { bodyToSend } from './request-body.ts';

export type { HttpCallOptions, HttpRequest } from './http-calls.ts';

/** The options of `axiosAdapter`. All are optional. */
export interface AxiosAdapterOptions extends HttpCallOptions {
  /** Sends the requests. Default: that of axios for this runtime. */
  readonly adapter?: AxiosAdapter | undefined;
}

/**
 * An adapter of axios that retries by the rules of `retryingFetch`:
 *
 * ```ts
 * const client = axios.create({ adapter: axiosAdapter({ policy: { maxAttempts: 4 }, idempotencyKey: 'auto' }) });
 * ```
 *
 * axios reads the body itself, so an attempt and its time limit end with the body, unless `responseType` is `stream`.
 *
 * @throws RedriveError `invalid_option`, `invalid_policy`, `breaker_missing`.
 */
export function axiosAdapter(options: AxiosAdapterOptions = {}): AxiosAdapter {
  const calls = httpCalls('options of axiosAdapter', options, {
    adapter: [undefined, { kind: 'function' }],
  });
  const send = options.adapter ?? axios.getAdapter(['xhr', 'http', 'fetch']);
  // Only this one tells of redirects: after others it is unknown whether the first server had got the request.
  const tellsRedirects = answerOf(() => axios.getAdapter('http')) === send;

  return async (config) => {
    const { method: verb = 'get', signal: given, cancelToken, data } = config;
    const fromToken = cancelToken?.toAbortSignal?.();
    const signals = [given, fromToken].filter((each) => each instanceof AbortSignal);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    const headers = headersOf(config.headers);
    const request = { method: verb.toUpperCase(), url: axios.getUri(config), headers };
    const hadKey = headers.has(KEY_HEADER);
    const mayRepeat = calls.mayRepeat(request);
    const key = hadKey ? null : headers.get(KEY_HEADER);
    const { body = data, canSendAgain } = await bodyToSend(
      data,
      false,
      options.bufferBytes,
      signal,
    );

    const sendOnce = async (own: AbortSignal): Promise<AxiosResponse> => {
      let isSent = !tellsRedirects;
      const sent: InternalAxiosRequestConfig = {
        ...config,
        data: body,
        headers: AxiosHeaders.from(config.headers),
        signal: own,
        beforeRedirect(...about) {
          isSent = true;
          config.beforeRedirect?.(...about);
        },
      };
      if (key !== null) sent.headers.set(KEY_HEADER, key);
      try {
        return restore(await send(sent), config);
      } catch (error) {
        if (isSent) noteSent(error);
        throw restore(error, config);
      }
    };
    try {
      const call = { canSendAgain, mayRepeat, signal, discard };
      return await calls.run(call, (attempt) => sendOnce(attempt.signal));
    } finally {
      // Not in the types of axios.
      (fromToken as { unsubscribe?: () => void } | undefined)?.unsubscribe?.();
    }
  };
}

/** A program may send the config of a response or an error again: it gets its own, without the attempt's signal. */
function restore<T>(outcome: T, config: InternalAxiosRequestConfig): T {
  if (fields(outcome).config) Object.assign(Object(outcome), { config });
  const { response } = fields(outcome);
  if (response) Object.assign(response, { config });
  return outcome;
}

/** A response that is read as a stream keeps its socket. */
function discard(outcome: unknown): void {
  const { data } = fields(fields(outcome).response ?? outcome);
  const { destroy } = fields(data);
  if (typeof destroy === 'function') destroy.call(data);
  else cancel({ body: data });
}
