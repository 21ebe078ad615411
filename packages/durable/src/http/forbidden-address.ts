import { BlockList, isIP } from 'node:net';

/** Not reachable from the public internet: this host, private networks, link-local, multicast, reserved, examples. */
const FORBIDDEN_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Addresses outside of `2000::/3` are not public. Within it: Teredo and others, examples, 6to4. */
const PUBLIC_V6 = '2000::/3';
const FORBIDDEN_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Made at the first request: making them takes some milliseconds of a start. */
let lists: { readonly forbidden: BlockList; readonly publicV6: BlockList } | undefined;

/**
 * Whether an address is forbidden as the target of a request, unless it is in `named`.
 *
 * @param address in any spelling that `isIP` knows. Anything else is forbidden.
 */
export function isForbidden(address: string, named: BlockList): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  if (named.check(address, kind)) return false;
  lists ??= {
    forbidden: listOf([...FORBIDDEN_V4, ...FORBIDDEN_V6]),
    publicV6: listOf([PUBLIC_V6]),
  };
  const { forbidden, publicV6 } = lists;
  // An IPv4 address in an IPv6 one (`::ffff:10.0.0.1`) is not in the public range: it has no use but to hide.
  return forbidden.check(address, kind) || (family === 6 && !publicV6.check(address, kind));
}

/** Addresses and ranges, such as `10.1.0.0/16`, as a list. @throws Error: the first entry that is neither. */
export function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? most) > most)
      throw new Error(`${range} is neither an IP address nor a range such as 10.0.0.0/8`);
    list.addSubnet(address, Number(bits ?? most), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
