// bench/ has its own lockfile, so that the peers it compares with are installed only by who
// measures. `npm run bench -- in-process` comes here with the arguments after the dashes.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const bench = join(root, 'bench');

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('tsc', '-b');
if (!existsSync(join(bench, 'node_modules'))) run('npm', 'ci', '--prefix', bench);
run(process.execPath, '--expose-gc', join(bench, 'run.mjs'), ...process.argv.slice(2));
