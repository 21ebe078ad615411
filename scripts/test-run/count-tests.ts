import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Counts what both halves of the tests have reported.
const folder = join(import.meta.dirname, '../../coverage');
const halves = ['quick-tests.json', 'long-tests.json'].map((name) => countOf(join(folder, name)));
const passed = halves.reduce((sum, half) => sum + half.passed, 0);
const failed = halves.reduce((sum, half) => sum + half.failed, 0);

// A half that passed nothing is a broken run, however green it looks.
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || halves.some((half) => half.passed === 0) ? 1 : 0;

function countOf(path: string): { passed: number; failed: number } {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    return { passed: report.numPassedTests, failed: report.numFailedTests };
  } catch {
    console.error(`${path} is missing: these tests did not run to their end.`);
    return { passed: 0, failed: 0 };
  }
}
