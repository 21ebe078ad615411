import {
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { thirdPartyLicences } from '../bundle-cli/third-party-licences.ts';

/** Where the server looks for it: beside its own module. */
const SITE = 'packages/server/dist/console';
/** The console's own, and those of the packages that are in it. */
const SOURCES = [
  'packages/console/{index.html,package.json,src/**/*}',
  'packages/{client,core,lab}/src/**/*.ts',
  'packages/durable/src/control/rules/*.ts',
  'scripts/build-console/*',
];

/** Whether no source is newer than the built console. */
export function isConsoleCurrent(root: string): boolean {
  const made = join(root, SITE, 'index.html');
  if (!existsSync(made)) return false;
  const madeMs = statSync(made).mtimeMs;
  const sources = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return sources.every((file) => statSync(join(root, file)).mtimeMs <= madeMs);
}

/** Files with hashed names, each also compressed, so that the server only reads them. */
export async function buildConsole(root: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/console/package.json'), 'utf8'));
  const scratch = join(root, `${SITE}-${process.pid}`);
  const bundled = new Set<string>();
  await build({
    root: join(root, 'packages/console'),
    configFile: false,
    logLevel: 'warn',
    define: { __REDRIVE_VERSION__: JSON.stringify(version) },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [
      {
        // Vite's own preloads styles and scripts of a view, and here each view has one script and no style.
        name: 'no-preload',
        enforce: 'pre',
        load: (id) =>
          id.endsWith('vite/preload-helper.js')
            ? 'export const __vitePreload = (load) => load();'
            : undefined,
      },
      {
        name: 'note-bundled-files',
        generateBundle() {
          for (const id of this.getModuleIds()) bundled.add(id.replace(`${root}/`, ''));
        },
      },
    ],
    build: {
      outDir: scratch,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: false,
      // A view is loaded when it is opened; its styles are few.
      cssCodeSplit: false,
      // An image in a style would need a data: address, which the content security policy refuses.
      assetsInlineLimit: 0,
    },
    worker: { format: 'es' },
  });
  writeFileSync(
    join(scratch, 'THIRD-PARTY-LICENCES.txt'),
    thirdPartyLicences(root, [...bundled].sort()),
  );
  for (const file of globSync('**/*.{html,js,css,svg}', { cwd: scratch }))
    compress(join(scratch, file));
  // In one step: a server that starts now finds the old files or the new ones.
  rmSync(join(root, SITE), { recursive: true, force: true });
  renameSync(scratch, join(root, SITE));
}

function compress(path: string): void {
  const body = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(body, { params }));
  writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
}
