const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Knows the values of `Host` that a request may carry: those of loopback and the given names, with any port. A page of
 * another site may point its own name at this address (DNS rebinding); its requests carry that name.
 */
export function hostNames(names: readonly string[]): (host: string) => boolean {
  const known = new Set([...LOOPBACK, ...names.map((name) => name.toLowerCase())]);
  return (host) => known.has(host.toLowerCase().replace(/:\d{1,5}$/, ''));
}
