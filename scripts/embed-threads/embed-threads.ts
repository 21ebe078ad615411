import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The main files of SQLite's threads, as `ThreadMain` names them. */
const THREADS = [
  'writer/writer-thread',
  'reader/reader-thread',
  'write-back/write-back-thread',
  'document/document-thread',
];

/** Writes the program of SQLite's threads as a text into `dist`, from the files that `tsc` has written there. */
export async function embedThreads(root: string): Promise<void> {
  const directory = join(root, 'packages/sqlite/dist');
  const { outputFiles } = await build({
    absWorkingDir: root,
    // `require` runs a main file when it is called, so only one of them runs in each thread.
    stdin: {
      contents: `({ ${THREADS.map((name) => `'${name}': () => require('./${name}.js')`).join(', ')} })[process.argv.at(-1)]();`,
      resolveDir: directory,
    },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // Names stay: stack traces show them.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error('esbuild wrote no program of the threads');
  const file = join(directory, 'thread/embedded-threads.js');
  const text = `export const EMBEDDED_THREADS = ${JSON.stringify(output.text)};\n`;
  if (readFileSync(file, 'utf8') === text) return;
  // Another process may read the file.
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
