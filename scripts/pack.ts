// Writes the tarballs of all packages into `packed/`: what `npm install` takes until the names are on the registry, and
// what is published. `npm run pack` builds first.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { bundlePackage } from './pack/bundle-package.ts';
import { copyPackage } from './pack/copy-package.ts';

const root = dirname(import.meta.dirname);
const destination = join(root, 'packed');
const copies = mkdtempSync(join(tmpdir(), 'redrive-pack-'));

try {
  const homes: string[] = [];
  for (const folder of publishedFolders()) {
    const home = join(copies, basename(folder));
    copyPackage(folder, home);
    await bundlePackage(home);
    homes.push(home);
  }
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination);
  const packing = spawnSync(
    'npm',
    ['pack', ...homes, '--pack-destination', destination, '--ignore-scripts', '--silent'],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  );
  if (packing.status !== 0) process.exitCode = packing.status ?? 1;
} finally {
  rmSync(copies, { recursive: true, force: true });
}

const tarballs = globSync('*.tgz', { cwd: destination }).sort();
for (const tarball of tarballs) console.log(join(relative(process.cwd(), destination), tarball));
console.log(`\nIn your project: npm install ${destination}/*.tgz`);

/** A private package is part of the tarball of another one. */
function publishedFolders(): string[] {
  return globSync('packages/*/package.json', { cwd: root })
    .filter((path) => JSON.parse(readFileSync(join(root, path), 'utf8')).private !== true)
    .map((path) => join(root, dirname(path)))
    .sort();
}
