import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

// Counts what both halves of the tests have reported.
const folder = join(import.meta.dirname, '../../coverage');
const halves = ['quick-tests.json', 'long-tests.json'].map((name) => countOf(join(folder, name)));
const passed = halves.reduce((sum, half) => sum + half.passed, 0);
const failed = halves.reduce((sum, half) => sum + half.failed, 0);

// Named once more here: the end of the output is all that some readers of a long run see.
for (const failure of halves.flatMap((half) => half.failures)) console.log(failure);

// A half that passed nothing is a broken run, however green it looks.
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || halves.some((half) => half.passed === 0) ? 1 : 0;

interface Half {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

interface Assertion {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[];
}

function countOf(path: string): Half {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      failures: report.testResults.flatMap(failuresOf),
    };
  } catch {
    console.error(`${path} is missing: these tests did not run to their end.`);
    return { passed: 0, failed: 0, failures: [] };
  }
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly Assertion[];
}

/**
 * One text per failed test of a file: where it is, what it is called and the beginning of its message. A file that fails
 * outside its tests (an import, a hook) is one text.
 */
function failuresOf({ name, status, message = '', assertionResults }: TestFile): string[] {
  const path = relative(process.cwd(), name);
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (status === 'failed' && failed.length === 0) {
    return [`FAILED ${path}\n${message.slice(0, 1_000)}`];
  }
  return failed.map(({ fullName, failureMessages = [] }) => {
    return `FAILED ${path} > ${fullName}\n${failureMessages.join('\n').slice(0, 1_000)}`;
  });
}
