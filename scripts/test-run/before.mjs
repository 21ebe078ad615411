// Runs before the tests: stops with one line where they could only fail. The machine's own Node may read this file, so
// it must work on Node 18; TypeScript is imported only after the check of the version.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { problemWith } = require('../../packages/cli/bin/node-version.cjs');

try {
  const problem = problemWith(process.versions.node);
  if (problem !== undefined) throw new Error(problem);
  const { ensurePrograms } = await import('./programs.ts');
  await ensurePrograms();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
