import type { PackageEntry } from '../package-entries.ts';
import { builtTypes } from './declarations.ts';

/** The public names of one package, a section per entry: what `api/<package>.txt` has. */
export function publicNames(root: string, entries: readonly PackageEntry[]): string {
  const sections = entries.map((entry) => {
    const names = builtTypes(root, entry).map(({ kind, name }) => `  ${kind} ${name}`);
    return [`${entry.name} (${names.length})`, ...names].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}
