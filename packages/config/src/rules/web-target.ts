import { BlockList, isIP } from 'node:net';

export interface TargetProblem {
  /** The rest of a sentence that begins with the handler or the channel. */
  readonly why: string;
  readonly advice: string;
}

/** Why an address cannot be asked, and what to write. `undefined`: it can. `key` names hosts without TLS. */
export function urlProblem(
  url: string,
  httpHosts: readonly string[],
  key: string,
): TargetProblem | undefined {
  const read = URL.parse(url);
  if (read === null || !/^https?:$/.test(read.protocol))
    return { why: 'has no address of a webhook', advice: 'write url: https://host/path' };
  if (read.username || read.password) {
    const advice = 'name an environment variable with the credentials instead';
    return { why: 'has a user or password in its url', advice };
  }
  const hosts = httpHosts.map((host) => host.toLowerCase());
  const isAllowed = hosts.includes(read.host) || hosts.includes(read.hostname);
  if (read.protocol === 'https:' || isAllowed) return undefined;
  const advice = `write https:, or add ${read.host} to ${key}`;
  return { why: 'would be asked without TLS', advice };
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
