// Runs after `npm ci`, so that `npx redrive` works without a further step.
// An install without dev dependencies has no compiler; that is not an error.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

if (existsSync(compiler)) {
  const build = spawnSync(process.execPath, [compiler, '-b'], { cwd: root, stdio: 'inherit' });
  process.exitCode = build.status ?? 1;
} else {
  console.error(
    'Not building: the TypeScript compiler is not installed (dev dependencies left out).',
  );
}
