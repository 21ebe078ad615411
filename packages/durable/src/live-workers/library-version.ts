import { readFileSync } from 'node:fs';

let known: string | undefined;

/** The version of this package. `unknown` in a bundle, which has no manifest beside it. */
export function libraryVersion(): string {
  known ??= readVersion();
  return known;
}

function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    // Ours: it has a version.
    return (JSON.parse(text) as { readonly version: string }).version;
  } catch {
    return 'unknown';
  }
}
