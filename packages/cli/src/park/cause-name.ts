import { causes } from '@redrive/core/control';

const GATE = causes.gate('');

/**
 * The short name of a cause, which a command line can take: a gate is `gate:<dependency>`, with its credential and its
 * tenant behind slashes where it has them. All others are as they stand with the jobs.
 */
export function causeName(cause: string): string {
  if (!cause.startsWith(GATE)) return cause;
  // Made by `gateKey`.
  const [dependency = '', credential = '', tenant = ''] = JSON.parse(
    cause.slice(GATE.length),
  ) as readonly string[];
  const parts = tenant !== '' ? [dependency, credential, tenant] : [dependency, credential];
  return GATE + (credential === '' && tenant === '' ? dependency : parts.join('/'));
}
