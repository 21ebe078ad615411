import { configDefaults, defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The tests that take minutes: the same as the short ones, with many more runs. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/*/src/**/*.long.test.ts', 'scripts/**/*.long.test.ts'],
    exclude: configDefaults.exclude,
    reporters: ['default'],
    testTimeout: 300_000,
  },
});
