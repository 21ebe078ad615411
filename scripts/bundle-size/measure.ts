import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entriesOf } from '../package-entries.ts';

export interface Bundle {
  readonly name: string;
  /** The module that a user would write. */
  readonly source: string;
  /** What it should weigh. See docs/decisions/0007-what-retry-weighs.md. */
  readonly goalBytes: number;
  /** What it may weigh: a little more than it does, so that growth is noticed. Lower it whenever you can. */
  readonly limitBytes: number;
}

/** In bytes after minifying and gzip. */
export const bundles: readonly Bundle[] = [
  {
    name: 'retry alone',
    source: `export { retry } from '@redrive/core';`,
    goalBytes: 7_500,
    limitBytes: 11_010,
  },
  {
    name: 'everything but the classifier tables',
    source: `export * from '@redrive/core'; export * from '@redrive/core/idempotency';`,
    goalBytes: 16_000,
    limitBytes: 21_350,
  },
];

/** Bundles `source` as a browser would load it, straight from our sources, and weighs it. */
export async function measureBytes(root: string, source: string): Promise<number> {
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
  return gzipSync(bundle.contents, { level: 9 }).byteLength;
}
