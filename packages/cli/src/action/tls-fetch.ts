import { request } from 'node:https';
import { Readable } from 'node:stream';

/** `fetch` over TLS that trusts a private authority: Node's own takes no certificates. */
export function fetchWith(ca: string) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const answer = Promise.withResolvers<Response>();
    const asked = request(
      url,
      {
        method: init.method ?? 'GET',
        ca,
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.signal && { signal: init.signal }),
      },
      (message) => {
        const headers = new Headers();
        for (const [name, value] of Object.entries(message.headers)) {
          if (value !== undefined) headers.set(name, String(value));
        }
        // A web stream of Node is that of `fetch`; their types differ in details that are not used.
        const body = Readable.toWeb(message) as unknown as ReadableStream<Uint8Array>;
        answer.resolve(new Response(body, { status: message.statusCode ?? 500, headers }));
      },
    );
    asked.on('error', (error) => answer.reject(error));
    asked.end(typeof init.body === 'string' ? init.body : undefined);
    return answer.promise;
  };
}
