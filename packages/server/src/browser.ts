import type { IncomingHttpHeaders } from 'node:http';
import { SIGN_IN_MS } from './access/access-file.ts';
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

/** Browsers send a cookie to every port of a host: its name tells the consoles of one host apart. */
export function cookieName(host: string): string {
  const [, port = ''] = /:(\d{1,5})$/.exec(host) ?? [];
  return `redrive_sign_in_${port}`;
}

/** Another program of the host may set cookies of the same name. */
const MAX_COOKIES = 8;

/** The values of the cookies that a sign-in may have. */
export function cookiesOf({ cookie = '', host = '' }: IncomingHttpHeaders): readonly string[] {
  const prefix = `${cookieName(host)}=`;
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
    .filter((value) => /^[\w-]{43}$/.test(value))
    .slice(0, MAX_COOKIES);
}

/** An empty value ends the sign-in in the browser. */
export function cookieText(host: string, value: string, secure: boolean): string {
  const age = value === '' ? 0 : SIGN_IN_MS / 1_000;
  return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? '; Secure' : ''}`;
}
