// bench/ has its own lockfile, so that the peers it compares with are installed only by who
// measures. `npm run bench -- in-process` comes here with the arguments after the dashes.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const bench = join(root, 'bench');

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Whether what is installed is what the lockfile says: npm writes a copy of it when it is done. */
function isInstalled(): boolean {
  const installed = join(bench, 'node_modules', '.package-lock.json');
  const wanted = join(bench, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs;
}

run('tsc', '-b');
if (!isInstalled()) run('npm', 'ci', '--prefix', bench);
run(process.execPath, '--expose-gc', join(bench, 'run.mjs'), ...process.argv.slice(2));
