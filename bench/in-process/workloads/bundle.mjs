import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const bundles = [
  {
    id: 'redrive-retry',
    label: 'Redrive, `retry` alone',
    code: `export { retry } from '@redrive/core'`,
    atMost: 7500,
  },
  {
    id: 'redrive-all',
    label: 'Redrive, everything but the classifier tables',
    code: `export * from '@redrive/core'; export * from '@redrive/core/idempotency'`,
    atMost: 16_000,
  },
  { id: 'async-retry', label: 'async-retry', code: `export { default } from 'async-retry'` },
  { id: 'p-retry', label: 'p-retry', code: `export { default } from 'p-retry'` },
  {
    id: 'cockatiel-retry',
    label: 'cockatiel, retry only',
    code: `export { retry, handleAll, ExponentialBackoff } from 'cockatiel'`,
  },
  { id: 'cockatiel', label: 'cockatiel, everything', code: `export * from 'cockatiel'` },
  { id: 'attempt', label: 'attempt', code: `export { retry } from '@lifeomic/attempt'` },
  {
    id: 'exponential-backoff',
    label: 'exponential-backoff',
    code: `export { backOff } from 'exponential-backoff'`,
  },
  { id: 'opossum', label: 'opossum', code: `export { default } from 'opossum'` },
  { id: 'mollitia', label: 'mollitia, everything', code: `export * from 'mollitia'` },
  {
    id: 'effect',
    label: 'effect, retry and Schedule',
    code: `import { Effect, Schedule } from 'effect';
      export const retry = (fn) =>
        Effect.runPromise(
          Effect.retry(Effect.tryPromise(fn), { times: 2, schedule: Schedule.exponential(100) }),
        );`,
  },
];

export const title = 'Bundle size';
export const about = `Bundled and minified by esbuild for a browser's ES2024 module, then gzipped (level 9).
Node's own modules stay outside, so opossum's need for \`events\` is not counted.`;

export async function measure() {
  const results = [];
  for (const { id, label, code, atMost } of bundles) {
    const goal = atMost === undefined ? null : { valueAtMost: atMost };
    const value = await minifiedAndGzipped(code);
    results.push({ id, label, measure: 'min + gzip', value, unit: 'B', goal });
  }
  return results;
}

async function minifiedAndGzipped(contents) {
  const resolveDir = fileURLToPath(new URL('../..', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    external: ['node:*', 'events'],
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
