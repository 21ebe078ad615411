import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { entriesOf } from '../package-entries.ts';
import { SlowestFirst } from './slowest-first.ts';

const root = dirname(dirname(import.meta.dirname));

/** What all runs of tests have in common. */
export const commonConfig = defineConfig({
  // Every public entry leads to its source, so that tests need no build.
  resolve: {
    alias: entriesOf(root).map(({ name, source }) => ({
      find: new RegExp(`^${name}$`),
      replacement: join(root, source),
    })),
  },
  test: {
    globalSetup: [join(import.meta.dirname, 'setup.ts')],
    testTimeout: 30_000,
    // Hooks start servers and processes, which takes longer beside other tests. A hook that runs out of time fails a whole file.
    hookTimeout: 60_000,
    // Vitest leaves one core to itself; on two that would be one file at a time, and most wait for a disk or a server.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    restoreMocks: true,
  },
});
