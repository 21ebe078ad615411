import type { IncomingHttpHeaders } from 'node:http';
import { forbidden } from './problem.ts';

/** On every answer. The console's files are the only scripts and styles. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * A browser says where a request comes from. Another site may send one in its user's name.
 *
 * @param proof `required`: the request carries a cookie, so a request that says nothing is refused.
 * @throws Problem 403
 */
export function checkOrigin(headers: IncomingHttpHeaders, host: string, proof?: 'required'): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  const isForeign =
    (site !== undefined && site !== 'same-origin') || (origin !== undefined && !isOwn);
  const isUnproven = proof === 'required' && site === undefined && origin === undefined;
  if (isForeign || isUnproven) throw forbidden('A change must come from the same site.');
}

const COOKIE = 'redrive_session';
const SESSION_SECONDS = 12 * 3_600;

export function cookieOf(header: string | undefined): string | undefined {
  const [, value] = /(?:^|;\s*)redrive_session=([\w-]{43})(?:;|$)/.exec(header ?? '') ?? [];
  return value;
}

/** An empty value ends the session in the browser. */
export function cookieText(value: string, secure: boolean): string {
  const age = value === '' ? 0 : SESSION_SECONDS;
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? '; Secure' : ''}`;
}
