import { gzipSync } from 'node:zlib';
import { browserBundle } from './browser-bundle.ts';

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
    limitBytes: 11_000,
  },
  {
    name: 'retryingFetch with all it needs',
    source: `export { retryErrorOf, retryingFetch } from '@redrive/core/fetch';`,
    goalBytes: 14_000,
    limitBytes: 14_000,
  },
  {
    name: 'everything but the classifier tables',
    source: `export * from '@redrive/core'; export * from '@redrive/core/idempotency';`,
    goalBytes: 16_000,
    limitBytes: 21_700,
  },
];

/** The size of `source` as a browser would load it. */
export async function measureBytes(root: string, source: string): Promise<number> {
  return gzipSync(await browserBundle(root, source), { level: 9 }).byteLength;
}
