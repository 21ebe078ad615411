import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { embedThreads } from '../embed-threads/embed-threads.ts';
import { thirdPartyLicences } from './third-party-licences.ts';

/** Bundles the built command line with all that it imports, the threads of SQLite included, so that a command loads one file instead of hundreds. */
export async function bundleCli(root: string, directory: string): Promise<void> {
  await embedThreads(root);
  rmSync(directory, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: join(root, 'packages/cli/dist/main.js') },
    outdir: directory,
    bundle: true,
    // A command loads its own code and what it shares with others.
    splitting: true,
    // Beside the main file: code finds its files from there.
    chunkNames: '[name]-[hash]',
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

/** The console: the server looks for it beside its module, which is the bundle here. */
export function copyConsole(root: string, directory: string): void {
  const target = join(directory, 'console');
  rmSync(target, { recursive: true, force: true });
  cpSync(join(root, 'packages/server/dist/console'), target, { recursive: true });
}

/** The files that `redrive alerts export` and `redrive dashboards export` write: they look for them beside the bundle. */
export function copyMonitoring(root: string, directory: string): void {
  for (const part of ['prometheus/alerts', 'alertmanager', 'grafana']) {
    cpSync(join(root, 'deploy', part), join(directory, 'deploy', part), { recursive: true });
  }
}
