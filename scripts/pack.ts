// Writes the tarballs of all packages into `packed/`: what `npm install` takes until the names are on the registry.
// `npm run pack` builds first.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = dirname(import.meta.dirname);
const destination = join(root, 'packed');

/** The compiler leaves the output of a deleted source behind, and a tarball would carry it to users. */
function removeStaleOutput(): void {
  for (const file of globSync('packages/*/dist/**/*.{js,d.ts,js.map,d.ts.map}', {
    cwd: root,
    exclude: ['packages/cli/dist/bundle/**', 'packages/server/dist/console/**'],
  })) {
    const source = file
      .replace(/[\\/]dist[\\/]/, '/src/')
      .replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts');
    if (!existsSync(join(root, source))) rmSync(join(root, file));
  }
}

removeStaleOutput();
rmSync(destination, { recursive: true, force: true });
mkdirSync(destination);
// A private package is part of the tarball of another one.
const published = globSync('packages/*/package.json', { cwd: root })
  .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')))
  .filter((manifest) => manifest.private !== true)
  .map(({ name }) => `--workspace=${name}`);
const packing = spawnSync(
  'npm',
  ['pack', ...published, '--pack-destination', destination, '--ignore-scripts', '--silent'],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
);
if (packing.status !== 0) process.exit(packing.status ?? 1);

const tarballs = globSync('*.tgz', { cwd: destination }).sort();
for (const tarball of tarballs) console.log(join(relative(process.cwd(), destination), tarball));
console.log(`\nIn your project: npm install ${destination}/*.tgz`);
