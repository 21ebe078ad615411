import { cancel, noteSent } from './http-calls.ts';

/** A request that must not be sent twice, and that follows redirects. */
interface CarefulRequest {
  readonly input: RequestInfo | URL;
  readonly settings: RequestInit;
  /** `input` and `settings` in one: for the request to another address. */
  readonly whole: RequestInit;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  /** Its body is a stream, which the first server has used up. */
  readonly isStream: boolean;
}

/**
 * Sends the request, and follows its first redirect here: after a redirect the first server has got the request, so that an
 * error such as ECONNREFUSED no longer means that nothing was sent. `fetch` alone does not tell the two apart. Browsers do
 * not show redirects (`send-carefully-in-browsers.ts`).
 */
export async function sendCarefully(
  send: typeof fetch,
  request: CarefulRequest,
): Promise<Response> {
  const { input, settings, whole } = request;
  let isSent = !showsRedirects();
  try {
    const response = await send(input, isSent ? settings : { ...settings, redirect: 'manual' });
    const next = isSent ? undefined : nextRequest(response, request);
    if (!next) return response;
    isSent = true;
    cancel(response);
    const answer = await send(next.url, { ...whole, ...next, redirect: 'follow' });
    return Object.defineProperty(answer, 'redirected', { value: true, configurable: true });
  } catch (error) {
    if (isSent) noteSent(error);
    throw error;
  }
}

/** Whether `redirect: 'manual'` shows where a redirect leads: in Node, but not in a page, also a simulated one (jsdom). */
function showsRedirects(): boolean {
  // The types of this package are those that all engines share.
  const { process } = globalThis as { process?: { versions?: { undici?: string } } };
  return process?.versions?.undici !== undefined && typeof document === 'undefined';
}

/**
 * The request that follows a redirect, by the rules of the Fetch standard. `undefined`: the response is no redirect.
 *
 * @throws TypeError where `fetch` does.
 */
function nextRequest(
  response: Response,
  { whole, ...sent }: CarefulRequest,
): (RequestInit & { readonly url: string }) | undefined {
  const location = response.headers.get('location');
  const { status } = response;
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined;
  const from = new URL(response.url || sent.url);
  const to = new URL(location, from);
  if (!/^https?:$/.test(to.protocol)) throw new TypeError('fetch failed: not an HTTP(S) redirect');
  to.hash ||= new URL(sent.url).hash;
  const headers = new Headers(sent.headers);
  const drop = (names: string) => {
    for (const name of names.split(' ')) headers.delete(name);
  };
  if (to.origin !== from.origin) drop('authorization proxy-authorization cookie host');
  const { method } = sent;
  if (status === 303 ? !/^(GET|HEAD)$/.test(method) : status < 303 && method === 'POST') {
    drop('content-encoding content-language content-location content-type content-length');
    return { url: to.href, method: 'GET', headers, body: null };
  }
  if (sent.isStream) throw new TypeError('fetch failed: a redirected stream cannot be sent again');
  return { url: to.href, method, headers, body: whole.body ?? null };
}
