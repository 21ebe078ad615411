import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Seed A's list: what decides about retries is covered branch by branch. */
const fullyCovered = ['backoff', 'classify', 'decide', 'errors', 'ledger', 'records', 'run'];

export default defineConfig({
  resolve: { alias: sourceAliases() },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
    // A report for people and one for .ci/run, which counts from it.
    reporters: ['default', ['json', { outputFile: 'coverage/test-report.json' }]],
    testTimeout: 30_000,
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

/**
 * Points every public entry of every package at its source, so that tests need no build.
 * The `exports` of each package.json are the only list of entries.
 */
function sourceAliases() {
  const packages = fileURLToPath(new URL('./packages/', import.meta.url));
  return readdirSync(packages).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(`${packages}${folder}/package.json`, 'utf8'));
    return Object.entries<{ default: string } | null>(manifest.exports ?? {}).flatMap(
      ([subpath, target]) => {
        if (target === null) return [];
        const source = target.default.replace('./dist/', '/src/').replace(/\.js$/, '.ts');
        const name = manifest.name + subpath.slice(1);
        return [{ find: new RegExp(`^${name}$`), replacement: packages + folder + source }];
      },
    );
  });
}
