import { readFileSync } from 'node:fs';

/** The version of the command line. The manifest is two levels up from here, and from the bundle as well. */
export function readVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
