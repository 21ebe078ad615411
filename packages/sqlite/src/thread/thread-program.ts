import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'node:worker_threads';
import { RedriveError } from '@redrive/core';

/** The main file of a thread, from `src` or `dist`. */
export type ThreadMain =
  | 'writer/writer-thread'
  | 'reader/reader-thread'
  | 'write-back/write-back-thread'
  | 'document/document-thread';

/** The first argument of a `Worker`, and the options that belong to it. */
export type ThreadProgram = readonly [program: URL | string, options: WorkerOptions];

declare const __webpack_require__: unknown;

/** The program of all threads, for bundles. Empty until it was loaded. */
let embedded = '';

/**
 * Loads the program of the threads, in a bundle. Await it before the first thread starts. Outside of bundles the text is
 * never read, because that takes milliseconds.
 *
 * @throws RedriveError `store_unsupported` in a bundle without the text.
 */
export async function prepareThreads(): Promise<void> {
  if (embedded !== '' || fileOf('writer/writer-thread') !== undefined) return;
  // webpack would write another file for it.
  const loaded = await import(/* webpackMode: "eager" */ './embedded-threads.ts');
  embedded = loaded.EMBEDDED_THREADS;
  if (embedded !== '') return;
  throw new RedriveError(
    'store_unsupported',
    'This bundle has no code for the threads of the SQLite store: its @redrive/sqlite was compiled without "npm run build".',
  );
}

/**
 * The program of a thread: its main file, TypeScript beside a source (Node strips the types), JavaScript where it was
 * built. In a bundle it is a text, which finds the thread to start in the last argument of its process.
 */
export function threadProgram(main: ThreadMain): ThreadProgram {
  const file = fileOf(main);
  return file === undefined ? [embedded, { eval: true, argv: [main] }] : [file, {}];
}

function fileOf(main: ThreadMain): URL | undefined {
  // Bundles in CommonJS have no URL.
  const here: string | undefined = import.meta.url;
  // webpack gives a module the URL that it had when it was bundled: the file there may be of another version by now.
  if (typeof __webpack_require__ !== 'undefined') return undefined;
  const [, extension] = /^file:.*\/thread\/thread-program\.([jt]s)$/.exec(here ?? '') ?? [];
  if (extension === undefined) return undefined;
  const file = new URL(`../${main}.${extension}`, here);
  return existsSync(fileURLToPath(file)) ? file : undefined;
}
