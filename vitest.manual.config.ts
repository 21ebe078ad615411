import { configDefaults, defineConfig } from 'vitest/config';
import { commonConfig } from './scripts/test-run/common-config.ts';

/** The same as tests of the two halves, with many more runs: minutes each, so a person starts them. */
export default defineConfig({
  ...commonConfig,
  test: {
    ...commonConfig.test,
    include: ['{packages,scripts,examples}/**/*.manual.test.ts'],
    exclude: configDefaults.exclude,
    reporters: ['default'],
    testTimeout: 300_000,
  },
});
