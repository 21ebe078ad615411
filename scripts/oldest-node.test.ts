import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const program = new URL('oldest-node/program.mjs', import.meta.url).pathname;

/** The oldest Node that core supports, as its engines say, from the package of this platform. */
function oldestNode(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = `node_modules/old-node-${platform}-${process.arch}/bin/${binary}`;
  const found = new URL(path, root);
  // There is no package for macOS; there the program runs on the Node that runs the tests.
  if (process.platform === 'darwin' && !existsSync(found)) return process.execPath;
  return found.pathname;
}

it('core uses nothing that Node 20 lacks: a program over its built files runs there', () => {
  const { status, stdout, stderr } = spawnSync(oldestNode(), [program], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  if (process.platform !== 'darwin') expect(stdout).toMatch(/^ran on Node v20\./m);
});

it('the engines of core say so, and npm scripts still run on the Node of the repository', () => {
  const manifest = JSON.parse(readFileSync(new URL('packages/core/package.json', root), 'utf8'));
  expect(manifest.engines).toEqual({ node: '>=20' });
  // Several packages have a program called node; prepare.mjs links the newer one, whatever npm does.
  const linked = new URL('node_modules/.bin/node', root).pathname;
  if (existsSync(linked)) {
    const { stdout } = spawnSync(linked, ['--version'], { encoding: 'utf8' });
    expect(stdout).toMatch(/^v24\./);
  }
});
