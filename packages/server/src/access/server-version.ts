import { readFileSync } from 'node:fs';

/** The version of this server. The manifest is two levels up from here, and from the bundle of the command line as well. */
export function serverVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
