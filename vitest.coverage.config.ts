import { configDefaults, defineConfig } from 'vitest/config';
import { commonConfig } from './scripts/test-run/common-config.ts';

/** Retry decisions are covered branch by branch. */
const fullyCovered = [
  'backoff',
  'classify',
  'decide',
  'errors',
  'ledger',
  'records',
  'run',
  'pipeline',
  'hand-over',
  'nested',
];

/** The coverage of core by its own quick tests, which run in `npm test` without it: it slows down every loop. */
export default defineConfig({
  ...commonConfig,
  test: {
    ...commonConfig.test,
    include: ['packages/core/src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.{long,manual}.test.ts'],
    reporters: ['default'],
    // Loops over millions of combinations are some four times slower when every branch is counted.
    testTimeout: 120_000,
    coverage: {
      // Emptied before it is written: the reports of the two halves, which .ci/run counts, are beside it.
      reportsDirectory: 'coverage/core',
      enabled: true,
      provider: 'v8',
      include: ['packages/core/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text', 'json-summary'],
      reportOnFailure: true,
      thresholds: Object.fromEntries(
        fullyCovered.map((folder) => [`packages/core/src/${folder}/**/*.ts`, { branches: 100 }]),
      ),
    },
  },
});
