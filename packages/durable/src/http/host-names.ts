const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Knows the values of `Host` that a request may carry: those of loopback and the given names, with any port. A page of
 * another site may point its own name at this address (DNS rebinding); its requests carry that name.
 */
export function hostNames(names: readonly string[]): (host: string) => boolean {
  const known = new Set([...LOOPBACK, ...names.map((name) => name.toLowerCase())]);
  return (host) => known.has(host.toLowerCase().replace(/:\d{1,5}$/, ''));
}

/** The parts of a request that name its host. */
interface HostParts {
  readonly headers: { readonly host?: string | undefined };
  readonly rawHeaders: readonly string[];
  /** As the client sent it. */
  readonly url?: string | undefined;
}

/**
 * The host of a request. Empty if the request names it twice, in headers or in the address: a proxy may have read the other
 * one.
 */
export function hostOf({ headers, rawHeaders, url = '/' }: HostParts): string {
  // Names and values take turns.
  const times = rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === 'host');
  return times.length > 1 || !/^[/*]/.test(url) ? '' : (headers.host ?? '');
}
