import { configDefaults, defineConfig } from 'vitest/config';
import quick from './vitest.config.ts';

/** Retry decisions are covered branch by branch. */
const fullyCovered = ['backoff', 'classify', 'decide', 'errors', 'ledger', 'records', 'run'];

/** The other half: tests that take long, and the tests of core once more, with coverage. */
export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: ['{packages,scripts,examples}/**/*.long.test.ts', 'packages/core/src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.manual.test.ts'],
    reporters: ['default', ['json', { outputFile: 'coverage/long-tests.json' }]],
    coverage: {
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
