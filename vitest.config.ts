import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { entriesOf } from './scripts/package-entries.ts';
import { SlowestFirst } from './scripts/slowest-first.ts';

const root = import.meta.dirname;

/** What decides about retries is covered branch by branch. */
const fullyCovered = ['backoff', 'classify', 'decide', 'errors', 'ledger', 'records', 'run'];

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
    // These take minutes: `npm run test:long`.
    exclude: [...configDefaults.exclude, '**/*.long.test.ts'],
    // A report for people and one for .ci/run, which counts from it.
    reporters: ['default', ['json', { outputFile: 'coverage/test-report.json' }]],
    testTimeout: 30_000,
    // Vitest leaves one core to itself; on two that would be one file at a time, and most wait for a disk or a server.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    restoreMocks: true,
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
