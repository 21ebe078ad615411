import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = fileURLToPath(new URL('./programs/', import.meta.url));

/**
 * Redrive as users have it: its tarballs, installed outside of the repository. Peers are those of bench/, so their
 * programs stay here.
 */
export async function installRedrive() {
  await run('npm', ['run', '-s', 'pack'], { cwd: root, maxBuffer: 2 ** 24 });
  const home = await mkdtemp(join(tmpdir(), 'redrive-bench-start-'));
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n');
  cpSync(programs, join(home, 'programs'), { recursive: true });
  const packed = join(root, 'packed');
  const tarballs = readdirSync(packed).filter((file) => !file.includes('testkit'));
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
  const names = [...tarballs.map((file) => join(packed, file)), `pg@${dependencies.pg}`];
  await run('npm', ['install', '--ignore-scripts', ...names], { cwd: home, maxBuffer: 2 ** 24 });
  return {
    home,
    programs: join(home, 'programs'),
    bin: join(home, 'node_modules/.bin/redrive'),
    close: () => rm(home, { recursive: true, force: true }),
  };
}

export const peers = {
  programs,
  bin: (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)),
};
