import { configDefaults, defineConfig } from 'vitest/config';
import { commonConfig } from './scripts/test-run/common-config.ts';

const include = ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'];
const exclude = [...configDefaults.exclude, '**/*.long.test.ts', '**/*.manual.test.ts'];

/** Files that leave nothing behind in their process run in one, after each other: starting one for each takes longer. */
const sharing = ['packages/{core,config,durable,cli}/src/**/*.test.ts'];

/** Among those, the files that replace timers or modules, which others would find replaced. */
const alone = [
  'packages/core/src/clock/system-clock.test.ts',
  'packages/core/src/run/own-timers.test.ts',
  'packages/core/src/random/{ids,sortable-id}.test.ts',
  'packages/core/src/policy/recall-policy.test.ts',
  'packages/core/src/errors/*-error.test.ts',
];

/**
 * `npm test`: the quick half. A test of more than some seconds has a name that ends in `.long.test.ts` and runs in the
 * other half (`vitest.long.config.ts`); one that takes minutes by itself ends in `.manual.test.ts`.
 */
export default defineConfig({
  ...commonConfig,
  test: {
    ...commonConfig.test,
    // A report for people and one for .ci/run, which counts from it.
    reporters: ['default', ['json', { outputFile: 'coverage/quick-tests.json' }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: sharing,
          exclude: [...exclude, ...alone],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include, exclude: [...exclude, ...sharing] },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude } },
    ],
  },
});
