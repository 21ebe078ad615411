import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { markPure } from './mark-pure.ts';

/** Files that are started by their path. */
const STARTED: Readonly<Record<string, readonly string[]>> = {
  '@redrive/testkit': ['services/reaper.js'],
  redrive: ['main.js'],
};

/** Before the path of a file that keeps its place, in an import of it, until the place of the importing file is known. */
const KEPT = 'redrive-kept:';

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, { readonly default: string } | null>>;
  readonly browser?: Readonly<Record<string, string>>;
}

/**
 * Replaces the JavaScript in `dist` of a copy of a package by few files: one per entry, and one with what entries share.
 * Types stay as they are, and so do the sources, which all maps point to.
 */
export async function bundlePackage(home: string): Promise<void> {
  const manifest: Manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const dist = join(home, 'dist');
  const files = globSync('**/*.js', { cwd: dist, exclude: ['bundle/**', 'console/**'] });
  const kept = new Set([...replacedInBrowsers(manifest), ...files.filter(namesItself(dist))]);
  const entries = new Set([...entryFiles(manifest), ...kept, ...(STARTED[manifest.name] ?? [])]);
  const parts = partsOf(dist, files, kept);
  const bundle = await rolldown({
    cwd: home,
    input: Object.fromEntries([...entries].map((file) => [file.slice(0, -3), join(dist, file)])),
    platform: 'node',
    tsconfig: false,
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [readBuilt(), markPure(), keepPlaces(dist, kept)],
    logLevel: 'warn',
    checks: { pluginTimings: false },
  });
  const { output } = await bundle.generate({
    dir: dist,
    format: 'esm',
    // Without its sources, as the command line is packed, a map is no use.
    sourcemap: manifest.exports !== undefined,
    comments: { legal: false, jsdoc: false, annotation: true },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: parts.map((part, at) => ({
        name: at === 0 ? 'shared' : `shared-${at + 1}`,
        test: (id: string) => part.has(posixPath(relative(dist, id))),
        minShareCount: 2,
        // A part imports only those before it.
        priority: parts.length - at,
      })),
    },
  });
  await bundle.close();
  for (const file of files) {
    rmSync(join(dist, file));
    rmSync(join(dist, `${file}.map`), { force: true });
  }
  for (const part of output) {
    const file = join(dist, part.fileName);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, part.type === 'chunk' ? withPlaces(part) : part.source);
  }
}
function entryFiles({ exports = {} }: Manifest): string[] {
  return Object.values(exports).flatMap((target) =>
    target === null ? [] : target.default.replace('./dist/', ''),
  );
}

/** Bundlers for browsers put other files in their place, by their paths. */
function replacedInBrowsers({ browser = {} }: Manifest): string[] {
  return Object.entries(browser)
    .flat()
    .filter((path) => path.startsWith('./dist/'))
    .map((path) => path.replace('./dist/', ''));
}

/** Finds other files from its own place. */
function namesItself(dist: string) {
  return (file: string): boolean =>
    /\bimport\.meta\.url\b/.test(readFileSync(join(dist, file), 'utf8'));
}

/**
 * The files by which of the kept ones they import, directly or not: none, and so on. If files of different kinds were put
 * together, a kept file could import the file that imports it.
 */
function partsOf(
  dist: string,
  files: readonly string[],
  kept: ReadonlySet<string>,
): readonly ReadonlySet<string>[] {
  const parts = Map.groupBy(files, (file) =>
    [...importedBy(dist, file)]
      .filter((each) => kept.has(each))
      .sort()
      .join(),
  );
  const byCount = [...parts].sort(([a], [b]) => a.length - b.length);
  return byCount.map(([, part]) => new Set(part));
}

/** Directly or not. Imports on demand do not count: they run later. */
function importedBy(dist: string, start: string, found = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(join(dist, start), 'utf8');
  for (const [, path = ''] of text.matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)';$/gm)) {
    const file = posix.join(posix.dirname(start), path);
    if (found.has(file)) continue;
    found.add(file);
    importedBy(dist, file, found);
  }
  return found;
}

/** With the map that the compiler wrote. */
function readBuilt(): Plugin {
  return {
    name: 'built files',
    load(id) {
      const map = existsSync(`${id}.map`) ? readFileSync(`${id}.map`, 'utf8') : null;
      const code = readFileSync(id, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
      return { code, map };
    },
  };
}

function keepPlaces(dist: string, kept: ReadonlySet<string>): Plugin {
  return {
    name: 'files that keep their places',
    resolveId(path, importer) {
      if (importer === undefined || !path.startsWith('.')) return undefined;
      const file = posixPath(relative(dist, join(dirname(importer), path)));
      return kept.has(file) ? { id: KEPT + file, external: true } : undefined;
    },
  };
}

function withPlaces({ fileName, code }: { fileName: string; code: string }): string {
  return code.replaceAll(new RegExp(`(["'])${KEPT}([^"']+)\\1`, 'g'), (_, quote, file) => {
    const path = posix.relative(posix.dirname(fileName), file);
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}

function posixPath(path: string): string {
  return path.replaceAll('\\', '/');
}
