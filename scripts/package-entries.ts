import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface PackageEntry {
  readonly packageName: string;
  /** As users write it: `@redrive/core`, `@redrive/core/idempotency`. */
  readonly name: string;
  /** The source behind it, relative to the root: `packages/core/src/index.ts`. */
  readonly source: string;
}

/**
 * Every public entry of every package, read from `exports`, which is the only list of entries:
 * tests, the layering check and the bundle-size check all find the sources through it.
 */
export function entriesOf(root: string): PackageEntry[] {
  return globSync('packages/*/package.json', { cwd: root })
    .sort()
    .flatMap((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'));
      const exported: Record<string, { default: string } | null> = manifest.exports ?? {};
      return Object.entries(exported).flatMap(([subpath, target]) => {
        if (target === null) return [];
        const source = target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
        return {
          packageName: manifest.name,
          name: manifest.name + subpath.slice(1),
          source: join(dirname(path), source),
        };
      });
    });
}
