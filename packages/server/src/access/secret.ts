// biome-ignore lint/style/noRestrictedImports: a secret must not be predictable, so it never comes from a seeded generator.
import { randomBytes } from 'node:crypto';

/** Random bits that nobody can predict, as text for addresses and headers. */
export function secret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

export function secretHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
