import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { commonConfig } from './scripts/test-run/common-config.ts';

/** The other half: tests that take long. */
export default defineConfig({
  ...commonConfig,
  test: {
    ...commonConfig.test,
    // Most of these wait: for leases to run out, for servers, processes and installations.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    include: ['{packages,scripts,examples}/**/*.long.test.ts'],
    exclude: configDefaults.exclude,
    reporters: ['default', ['json', { outputFile: 'coverage/long-tests.json' }]],
  },
});
