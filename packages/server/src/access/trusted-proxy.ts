import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { addressList } from '@redrive/durable/store';
import { ROLES } from '@redrive/operate/manifest';
import { forbidden } from '../problem.ts';
import { sha256 } from './access-file.ts';
import { DEFAULT_RATE, type Role, type Who } from './who.ts';

/** A proxy that has checked its users, by OIDC for instance, and names them in headers of its own. */
export interface TrustedProxy {
  /** Addresses and ranges of the proxy. The headers of requests from elsewhere are not looked at. */
  readonly addresses: readonly string[];
  /** The header with the user's name. */
  readonly userHeader: string;
  /** The header with the user's groups, with commas between them. */
  readonly groupsHeader: string;
  /** The groups of each role; `*`: every user. A user without a role is refused. */
  readonly roles: Readonly<Partial<Record<Role, readonly string[]>>>;
  /** The header with the user's tenant; `*`: all tenants. With it, a user without a tenant is refused. Default: all tenants. */
  readonly tenantHeader?: string | undefined;
  /**
   * The value of the header `x-redrive-proxy-secret` of every request of the proxy. Needed for a proxy on loopback: every
   * program of the machine can send from there. Default: none.
   */
  readonly secret?: string | undefined;
}

export const SECRET_HEADER = 'x-redrive-proxy-secret';
/** It is part of the audit log and of idempotency keys, which have colons and spaces between their parts. */
const USER = /^[\w.@+-]{1,128}$/;

/** Reads the headers of a trusted proxy. */
export class ProxyHeaders {
  readonly #proxy: TrustedProxy;
  readonly #isFrom: (address: string | undefined) => boolean;

  constructor(proxy: TrustedProxy) {
    const list = addressList(proxy.addresses);
    this.#proxy = proxy;
    this.#isFrom = (address = '') =>
      isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }

  /** Whether an address is the proxy's: then `X-Forwarded-For` and `X-Forwarded-Proto` are true. */
  readonly isTrusted = (address: string | undefined): boolean => this.#isFrom(address);

  /** Whether a request has the secret of the proxy, if there is one. */
  isOwn(headers: IncomingHttpHeaders): boolean {
    const { secret } = this.#proxy;
    return secret === undefined || isSame(textOf(headers, SECRET_HEADER), secret);
  }

  /**
   * The user that the proxy names. `undefined`: the request is not of the proxy, or names nobody.
   *
   * @param address of the connection itself.
   * @param rawHeaders the headers as they came.
   * @throws Problem 403 for a user without a role or a tenant, or for a header that came twice.
   */
  whoIn(
    headers: IncomingHttpHeaders,
    address: string | undefined,
    rawHeaders: readonly string[],
  ): Who | undefined {
    const { userHeader, groupsHeader, roles, tenantHeader } = this.#proxy;
    const name = textOf(headers, userHeader);
    if (name === '' || !this.#isFrom(address) || !this.isOwn(headers)) return undefined;
    for (const header of [userHeader, groupsHeader, tenantHeader ?? '', SECRET_HEADER]) {
      // Node joins the values, so that a proxy which adds its header to the client's would pass on the client's groups.
      if (timesIn(rawHeaders, header) < 2) continue;
      throw forbidden(`The header ${header} came twice: the proxy must remove the client's.`);
    }
    if (!USER.test(name)) throw forbidden('The name of the user has other characters than names.');
    const groups = [
      '*',
      ...textOf(headers, groupsHeader)
        .split(',')
        .map((each) => each.trim()),
    ];
    const role = ROLES.findLast((each) => roles[each]?.some((group) => groups.includes(group)));
    if (role === undefined) throw forbidden(`${name} is in no group that has a role.`);
    const who = { name, role, rate: DEFAULT_RATE, by: 'proxy' } as const;
    if (tenantHeader === undefined) return who;
    const tenant = textOf(headers, tenantHeader);
    if (tenant === '') throw forbidden(`${name} has no tenant.`);
    return tenant === '*' ? who : { ...who, tenant };
  }
}

/** How often a header came. Names and values take turns in the list. */
function timesIn(rawHeaders: readonly string[], name: string): number {
  const wanted = name.toLowerCase();
  return rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === wanted).length;
}

function textOf(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name.toLowerCase()] ?? '').trim();
}

/** In constant time. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(secret)));
}
