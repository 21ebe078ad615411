import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embedThreads } from '../embed-threads/embed-threads.ts';
import { bundlePackage } from '../pack/bundle-package.ts';
import { copyPackage } from '../pack/copy-package.ts';

// A program with a SQLite store, bundled by each bundler, runs where there are no packages. Rollup, webpack and postject
// are installed outside of the repository, because nothing else here needs them.
const root = dirname(dirname(import.meta.dirname));
const TIMEOUT_MS = 300_000;

const PROGRAM = `
import { jobsOn } from '@redrive/durable';
import { openStore, sqliteDocuments } from '@redrive/sqlite';

async function main() {
  const store = await openStore('jobs.db');
  const jobs = jobsOn(store, { double: async (n) => n * 2 });
  await jobs.start();
  console.log('The answer is', await jobs.wait(await jobs.enqueue('double', 21)));
  await jobs.stop();
  await store.close();
  const documents = sqliteDocuments('missing.db');
  await documents.byIds({ name: 'archives' }, ['1']).catch((error) => console.log(error.code));
  await documents.close();
}

main();
`;

let scratch = '';
/** Where the program is bundled, with the packages as npm installs them. */
let project = '';
let entry = '';

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'redrive-bundled-'));
  project = join(scratch, 'project');
  const modules = join(project, 'node_modules');
  await embedThreads(root);
  for (const name of ['core', 'durable', 'sqlite']) {
    const target = join(modules, '@redrive', name);
    copyPackage(join(root, 'packages', name), target);
    await bundlePackage(target);
    const { dependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    for (const other of Object.keys(dependencies).filter((one) => !one.startsWith('@redrive/'))) {
      cpSync(join(root, 'node_modules', other), join(modules, other), { recursive: true });
    }
  }
  entry = join(project, 'program.mjs');
  writeFileSync(entry, PROGRAM);
  cpSync(join(import.meta.dirname, 'tools'), join(scratch, 'tools'), { recursive: true });
  const options = { cwd: join(scratch, 'tools'), timeout: TIMEOUT_MS };
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
}, TIMEOUT_MS);
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

/** What each bundler does with the program. Answers the name of the file to run in that directory. */
const bundlers: Readonly<Record<string, (directory: string) => Promise<string>>> = {
  'esbuild, as a module': (directory) => withEsbuild(directory, 'esm'),
  'esbuild, as CommonJS': (directory) => withEsbuild(directory, 'cjs'),
  'rolldown, as a module': (directory) => withRolldown(directory, 'esm'),
  'rolldown, as CommonJS': (directory) => withRolldown(directory, 'cjs'),
  'Rollup, as a module': (directory) => withRollup(directory, 'es'),
  'Rollup, as CommonJS': (directory) => withRollup(directory, 'cjs'),
  'Rollup, as one file': (directory) => withRollup(directory, 'es', true),
  'webpack, as CommonJS': withWebpack,
};

async function withEsbuild(directory: string, format: 'esm' | 'cjs'): Promise<string> {
  const file = format === 'esm' ? 'out.mjs' : 'out.cjs';
  await esbuild({
    absWorkingDir: project,
    entryPoints: [entry],
    outfile: join(directory, file),
    bundle: true,
    minify: true,
    platform: 'node',
    format,
    logLevel: 'error',
  });
  return file;
}

async function withRolldown(directory: string, format: 'esm' | 'cjs'): Promise<string> {
  const file = format === 'esm' ? 'out.mjs' : 'out.cjs';
  const bundle = await rolldown({
    input: entry,
    cwd: project,
    platform: 'node',
    logLevel: 'silent',
  });
  await bundle.write({ dir: directory, entryFileNames: file, format });
  await bundle.close();
  return file;
}

async function withRollup(
  directory: string,
  format: 'es' | 'cjs',
  isOneFile = false,
): Promise<string> {
  const tools = createRequire(join(scratch, 'tools/package.json'));
  const { rollup } = tools('@rollup/wasm-node');
  const { nodeResolve } = tools('@rollup/plugin-node-resolve');
  const file = format === 'es' ? 'out.mjs' : 'out.cjs';
  const plugins = [nodeResolve({ preferBuiltins: true, exportConditions: ['node'] })];
  const bundle = await rollup({ input: entry, plugins, logLevel: 'silent' });
  const target = isOneFile
    ? { file: join(directory, file), inlineDynamicImports: true }
    : { dir: directory, entryFileNames: file, chunkFileNames: `[name]-[hash]${file.slice(3)}` };
  await bundle.write({ ...target, format });
  await bundle.close();
  return file;
}

async function withWebpack(directory: string): Promise<string> {
  const { webpack } = createRequire(join(scratch, 'tools/package.json'))('webpack');
  const compiler = webpack({
    mode: 'production',
    target: 'node',
    context: project,
    entry,
    output: { path: directory, filename: 'out.cjs' },
  });
  const stats = await new Promise<{ hasErrors(): boolean; toString(): string }>((resolve, reject) =>
    compiler.run((error: unknown, done: never) => (error ? reject(error) : resolve(done))),
  );
  if (stats.hasErrors()) throw new Error(stats.toString());
  return 'out.cjs';
}

/** What a program of a bundle prints on a machine without the packages. */
function runAlone(directory: string, file: string, args: readonly string[]): string {
  const [modules, away] = [join(project, 'node_modules'), join(project, 'away')];
  renameSync(modules, away);
  try {
    return run(directory, file, args);
  } finally {
    renameSync(away, modules);
  }
}

function run(directory: string, file: string, args: readonly string[]): string {
  const options = { cwd: directory, encoding: 'utf8', timeout: 60_000, env: {} } as const;
  return execFileSync(file, args, options);
}

const OUTPUT = 'The answer is 42\ndocuments_refused\n';

test.each(Object.entries(bundlers))(
  'a program with a SQLite store runs when bundled by %s',
  async (name, bundle) => {
    const directory = join(scratch, 'bundles', name.replaceAll(/\W+/g, '-'));
    mkdirSync(directory, { recursive: true });
    const file = await bundle(directory);
    expect(runAlone(directory, process.execPath, [file])).toBe(OUTPUT);
  },
  TIMEOUT_MS,
);

test(
  'a program with a SQLite store runs as one executable file, made with node --experimental-sea-config',
  async () => {
    const directory = join(scratch, 'executable');
    mkdirSync(directory);
    const main = await withEsbuild(directory, 'cjs');
    const config = { main, output: 'program.blob', disableExperimentalSEAWarning: true };
    writeFileSync(join(directory, 'sea-config.json'), JSON.stringify(config));
    run(directory, process.execPath, ['--experimental-sea-config', 'sea-config.json']);
    cpSync(process.execPath, join(directory, 'program'));
    chmodSync(join(directory, 'program'), 0o755);
    const postject = join(scratch, 'tools/node_modules/postject/dist/cli.js');
    const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
    const inject = ['program', 'NODE_SEA_BLOB', 'program.blob', '--sentinel-fuse', fuse];
    run(directory, process.execPath, [postject, ...inject]);
    rmSync(join(directory, main));
    expect(runAlone(directory, join(directory, 'program'), [])).toBe(OUTPUT);
  },
  TIMEOUT_MS,
);
