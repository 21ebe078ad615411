import { join } from 'node:path';
import { build } from 'esbuild';
import { entriesOf } from '../package-entries.ts';

/** Bundles `source` for a browser, straight from our sources. */
export async function browserBundle(root: string, source: string): Promise<Uint8Array> {
  const sources = new Map(entriesOf(root).map((entry) => [entry.name, join(root, entry.source)]));
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'our packages from source',
        setup({ onResolve }) {
          onResolve({ filter: /^@redrive\// }, ({ path }) => {
            const file = sources.get(path);
            return file === undefined ? undefined : { path: file, sideEffects: false };
          });
        },
      },
    ],
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('esbuild wrote no bundle');
  return bundle.contents;
}
