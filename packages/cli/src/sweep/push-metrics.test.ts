import { memoryStore } from '@redrive/durable';
import { memoryDocuments } from '@redrive/durable/documents';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
sweeps:
  collections:
    archives: { source: "mongodb://127.0.0.1/docs", bus: main }
`;

function sweep(env: Record<string, string>, ...args: string[]) {
  const clock = virtualClock(START);
  const given = { store: memoryStore({ clock }), documents: memoryDocuments({ clock }), clock };
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG });
  return runMain(['sweep', 'run', '--once', ...args], { ...given, directory, env });
}

const PUSH = { METRICS_BACKEND: 'prometheus_pushgateway' };

test('an unreachable Pushgateway is a warning, and the sweep succeeds', async () => {
  const { exitCode, stdout, stderr } = await sweep({
    ...PUSH,
    PUSHGATEWAY_URL: 'http://me:pushHunter1@127.0.0.1:1',
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Swept in');
  expect(JSON.parse(stderr)).toMatchObject({ level: 'warn', event: 'metrics.push_failed' });
  expect(stderr).not.toContain('pushHunter1');
});

test('without an address there is a warning; without METRICS_BACKEND, or in a dry run, no push', async () => {
  expect((await sweep(PUSH)).stderr).toContain('PUSHGATEWAY_URL is not set');
  const away = { PUSHGATEWAY_URL: 'http://127.0.0.1:1' };
  for (const env of [away, { ...away, METRICS_BACKEND: 'prometheus' }]) {
    expect((await sweep(env)).stderr).toBe('');
  }
});
