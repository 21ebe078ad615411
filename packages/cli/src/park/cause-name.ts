import { causes } from '@redrive/core/control';

const GATE = causes.gate('');

/**
 * The short name of a cause, which a command line can take: a gate is `gate:<dependency>`, with its credential and its
 * tenant behind slashes where it has them. All others are as they stand with the jobs.
 */
export function causeName(cause: string): string {
  if (!cause.startsWith(GATE)) return cause;
  const key = keyOf(cause.slice(GATE.length));
  if (key === undefined) return cause;
  const [dependency = '', credential = '', tenant = ''] = key;
  const parts = tenant !== '' ? [dependency, credential, tenant] : [dependency, credential];
  return GATE + (credential === '' && tenant === '' ? dependency : parts.join('/'));
}

/** What `gateKey` has made; `undefined` where somebody else has: every job has the cause that it was parked under. */
function keyOf(text: string): readonly string[] | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string')
      ? parts
      : undefined;
  } catch {
    return undefined;
  }
}
