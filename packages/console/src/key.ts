/**
 * The key of the sign-in: its cookie is worth nothing without it. A browser sends cookies to every port of a host, and
 * keeps local storage for one port, so that no other program of the machine gets both. All tabs share it.
 */
const NAME = 'redrive_key';

/** The key in a browser whose storage is switched off: it lasts until the page is left. */
let own: string | undefined;

export function keepKey(key: string | undefined): void {
  own = key;
  try {
    if (key === undefined) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, key);
  } catch {
    // Storage is switched off.
  }
}

/** Headers of every request. Empty before the sign-in, and behind a proxy. */
export function keyHeaders(): Readonly<Record<string, string>> {
  const key = keptKey();
  return key === undefined ? {} : { 'x-redrive-key': key };
}

/** True if this browser has signed in here. If not, a user can only come from a trusted proxy. */
export function isSignedIn(): boolean {
  return keptKey() !== undefined;
}

function keptKey(): string | undefined {
  try {
    return localStorage.getItem(NAME) ?? own;
  } catch {
    return own;
  }
}
