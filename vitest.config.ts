import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { entriesOf } from './scripts/package-entries.ts';
import { SlowestFirst } from './scripts/test-run/slowest-first.ts';

const root = import.meta.dirname;

/**
 * `npm test`: the quick half. A test of more than some seconds has a name that ends in `.long.test.ts` and runs in the
 * other half (`vitest.long.config.ts`); one that takes minutes by itself ends in `.manual.test.ts`.
 */
export default defineConfig({
  // Every public entry leads to its source, so that tests need no build.
  resolve: {
    alias: entriesOf(root).map(({ name, source }) => ({
      find: new RegExp(`^${name}$`),
      replacement: join(root, source),
    })),
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.long.test.ts', '**/*.manual.test.ts'],
    globalSetup: ['scripts/test-run/setup.ts'],
    // A report for people and one for .ci/run, which counts from it.
    reporters: ['default', ['json', { outputFile: 'coverage/quick-tests.json' }]],
    testTimeout: 30_000,
    // Vitest leaves one core to itself; on two that would be one file at a time, and most wait for a disk or a server.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    restoreMocks: true,
  },
});
