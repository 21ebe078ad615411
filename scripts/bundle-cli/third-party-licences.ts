import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages that these files belong to, as their terms ask of everybody who passes them on. */
export function thirdPartyLicences(root: string, files: readonly string[]): string {
  const packages = new Set<string>();
  for (const file of files) {
    const [, directory] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
    if (directory !== undefined) packages.add(directory);
  }
  return [...packages]
    .sort()
    .map((directory) => licenceOf(root, directory))
    .join('\n');
}

function licenceOf(root: string, directory: string): string {
  const manifest = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));
  const [text] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, directory) });
  const terms =
    text === undefined
      ? `${manifest.license}\n`
      : readFileSync(join(root, directory, text), 'utf8').trimEnd();
  return `${manifest.name} ${manifest.version}\n\n${terms}\n\n${'-'.repeat(80)}\n`;
}
