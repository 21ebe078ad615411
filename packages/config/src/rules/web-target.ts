import { BlockList, isIP } from 'node:net';

/** Why an address cannot be asked, as the rest of a sentence. `undefined`: it can. */
export function urlProblem(url: string, httpHosts: readonly string[]): string | undefined {
  const read = URL.parse(url);
  if (read === null || !/^https?:$/.test(read.protocol)) return 'has no address of a webhook';
  if (read.username || read.password) return 'has a user or password in its url';
  const hosts = httpHosts.map((host) => host.toLowerCase());
  const isAllowed = hosts.includes(read.host) || hosts.includes(read.hostname);
  return read.protocol === 'http:' && !isAllowed
    ? 'would be asked without TLS: write https:, or name its host in allow_http'
    : undefined;
}

export function isRange(range: string): boolean {
  const [, address = '', bits = '0'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const family = isIP(address);
  if (family === 0) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

/** A list of texts, as far as the file has one. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
