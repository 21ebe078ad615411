import { BlockList } from 'node:net';
import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { isRange, textsOf } from './web-target.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** A trusted proxy has addresses of its own, somebody who may look, and a secret where others have its address too. */
export function checkServer(content: FileContent): Problem[] {
  const { proxy } = record(content.sections.server);
  if (proxy === undefined) return [];
  const { addresses, roles, secret_env } = record(proxy);
  const wrong = (key: string, message: string): Problem =>
    finding('invalid_server', content.placeOf(['server', 'proxy', key]), message);
  const given = textsOf(addresses);
  const problems = given
    .filter((range) => !isRange(range))
    .map((range) => wrong('addresses', `${range} is neither an address nor a range`));
  if (given.length === 0) problems.push(wrong('addresses', 'the proxy has no address'));
  if (!Object.values(record(roles)).some((groups) => textsOf(groups).length > 0))
    problems.push(wrong('roles', 'no group has a role, so every user would be refused'));
  const local = given.find((range) => isRange(range) && hasLoopback(range));
  if (local !== undefined && secret_env === undefined) {
    const why = `${local} has loopback addresses, from which every program of the machine can send: name secret_env`;
    problems.push(wrong('addresses', why));
  }
  return problems;
}

function hasLoopback(range: string): boolean {
  const [address = '', bits] = range.split('/');
  const kind = address.includes(':') ? 'ipv6' : 'ipv4';
  if (loopback.check(address, kind)) return true;
  const list = new BlockList();
  list.addSubnet(address, Number(bits ?? (kind === 'ipv4' ? 32 : 128)), kind);
  return list.check('127.0.0.1', 'ipv4') || list.check('::1', 'ipv6');
}
