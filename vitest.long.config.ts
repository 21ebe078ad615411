import { configDefaults, defineConfig } from 'vitest/config';
import quick from './vitest.config.ts';

/** The other half: tests that take long. */
export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: ['{packages,scripts,examples}/**/*.long.test.ts'],
    exclude: configDefaults.exclude,
    reporters: ['default', ['json', { outputFile: 'coverage/long-tests.json' }]],
  },
});
