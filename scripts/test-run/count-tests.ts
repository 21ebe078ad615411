import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of Vitest's report that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const folder = join(import.meta.dirname, '../../coverage');
const passed = new Set<string>();
const failed = new Set<string>();
let isComplete = true;

// Core's tests run in both halves and count once; a test that fails in one of them has failed.
for (const half of ['quick-tests.json', 'long-tests.json']) {
  const report = readReport(join(folder, half));
  isComplete &&= report !== undefined;
  for (const { name, status, assertionResults } of report?.testResults ?? []) {
    // A file that cannot be loaded has no tests in it.
    if (status === 'failed' && assertionResults.length === 0) failed.add(name);
    for (const test of assertionResults) {
      const id = `${name} ${test.fullName}`;
      if (test.status === 'passed') passed.add(id);
      if (test.status === 'failed') failed.add(id);
    }
  }
}
for (const id of failed) passed.delete(id);

// A run that passed nothing is a broken run, however green it looks.
console.log(`${passed.size} passed, ${failed.size} failed`);
process.exitCode = failed.size > 0 || passed.size === 0 || !isComplete ? 1 : 0;

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.error(`${path} is missing: these tests did not run to their end.`);
    return undefined;
  }
}
