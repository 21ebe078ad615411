import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { thirdPartyLicences } from './third-party-licences.ts';

/** The main files of SQLite's threads. The store looks for them beside its own module, which is the bundle here. */
const THREADS = ['writer/writer-thread', 'reader/reader-thread', 'write-back/write-back-thread'];

/** Bundles the built command line with all that it imports, so that a command loads one file instead of hundreds. */
export async function bundleCli(root: string, directory: string): Promise<void> {
  const threads = THREADS.map((name) => [name, join(root, `packages/sqlite/dist/${name}.js`)]);
  rmSync(directory, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: join(root, 'packages/cli/dist/main.js'),
      ...Object.fromEntries(threads),
    },
    outdir: directory,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Names stay: stack traces and messages show them.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // Some dependencies are CommonJS and call `require` for modules of Node.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(
    join(directory, 'THIRD-PARTY-LICENCES.txt'),
    thirdPartyLicences(root, Object.keys(metafile.inputs)),
  );
}
