// Runs after `npm ci`: links the Node that the repository pins, then builds, so that `npm start` and `npx redrive` work
// without a further step. npm runs this file with the machine's own Node, so it must work on Node 18.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { problemWith } = createRequire(import.meta.url)('../packages/cli/bin/node-version.cjs');

const node = linkPinnedNode() ?? process.execPath;
build();
warnAboutNode();

/**
 * Several optional packages have a program called `node`: one per platform, and the old Node of `old-node-*`. npm 8 to
 * 10 remove `.bin/node` together with the packages of other platforms, so the link must not be left to npm. Windows
 * keeps npm's own link, which is a script there. macOS has no such package.
 *
 * @returns the linked Node, or undefined where the machine's own Node is used.
 */
function linkPinnedNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const pinned = join(root, 'node_modules', name, 'bin/node');
  if (process.platform === 'win32' || !existsSync(pinned)) return undefined;
  const bin = join(root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'node'), { force: true });
  symlinkSync(join('..', name, 'bin/node'), join(bin, 'node'));
  return pinned;
}

/** An install without dev dependencies has no compiler; that is not an error. */
function build() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  if (existsSync(compiler)) {
    const scripts = ['embed-threads', 'build-console', 'bundle-cli'];
    const steps = [[compiler, '-b'], ...scripts.map((name) => [`scripts/${name}.ts`])];
    const failed = steps.find((step) => {
      return spawnSync(node, step, { cwd: root, stdio: 'inherit' }).status !== 0;
    });
    if (failed !== undefined) process.exitCode = 1;
  } else {
    console.error(
      'Not building: the TypeScript compiler is not installed (dev dependencies left out).',
    );
  }
}

/** Said here already, because `npm start` and `npm test` would fail with it. */
function warnAboutNode() {
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  const problem = problemWith(stdout.trim());
  if (problem !== undefined) console.error(problem);
}
