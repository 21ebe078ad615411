import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** What tests said. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  /** Names of tests that failed. */
  readonly failures: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const LIMIT_MS = 1_800_000;

/** Builds the copy. Answers what the compiler has against it, if anything. */
export function build(root: string): string | undefined {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-b'], {
    cwd: root,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  return status === 0 ? undefined : stdout;
}

/** Runs test files of the copy, or the tests in them with a text in their names. `undefined`: there was no result at all. */
export function runTests(
  root: string,
  { tests, about }: Pick<Mutant, 'tests' | 'about'>,
): TestRun | undefined {
  const isLong = tests.some((file) => file.endsWith('.long.test.ts'));
  const config = isLong ? 'vitest.long.config.ts' : 'vitest.config.ts';
  // Where the configuration has it written.
  const output = join(root, `coverage/${isLong ? 'long' : 'quick'}-tests.json`);
  if (existsSync(output)) rmSync(output);
  const some = about === undefined ? [] : ['-t', about];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', config, ...tests, ...some, `--testTimeout=${LIMIT_MS}`];
  spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: 'ignore', timeout: LIMIT_MS });
  if (!existsSync(output)) return undefined;
  // Written by Vitest.
  const report = JSON.parse(readFileSync(output, 'utf8')) as VitestReport;
  const failures = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
  return { passed: report.numPassedTests, failed: report.numFailedTests, failures };
}
