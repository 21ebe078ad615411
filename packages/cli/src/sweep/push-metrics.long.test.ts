import { loadConfig } from '@redrive/config';
import { type Clock, systemClock } from '@redrive/core';
import { memoryStore } from '@redrive/durable';
import { memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { startPushgateway } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Io } from '../terminal/io.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { openSweeps } from './configured-sweeps.ts';
import { documentHandlers } from './document-handlers.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
sweeps:
  collections:
    archives: { source: "mongodb://127.0.0.1/docs", bus: main }
`;
const DAY_MS = 86_400_000;
let gateway: Awaited<ReturnType<typeof startPushgateway>>;
beforeAll(async () => {
  gateway = await startPushgateway();
}, 120_000);
afterAll(() => gateway?.stop());

/** Samples that the Pushgateway has, without its own. */
async function pushed(): Promise<string[]> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return text.split('\n').filter((line) => /^(retry_job|redrive)_/.test(line));
}

/** The system's time, which can jump: the Pushgateway answers in real time, so its time limit has to be real, too. */
function shiftedClock(): Clock & { shift(ms: number): void } {
  let aheadMs = 0;
  return {
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic(),
    setTimer: (delayMs, wake) => systemClock.setTimer(delayMs, wake),
    shift(ms) {
      aheadMs += ms;
    },
  };
}

async function setUp(env: Record<string, string> = {}) {
  const clock = shiftedClock();
  const store = memoryStore({ clock });
  const documents = memoryDocuments({ clock });
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG });
  const environment = { METRICS_BACKEND: 'prometheus_pushgateway', ...env };
  const bus = memoryBus();
  await bus.declare({ name: 'archive.ingested' });
  const parts = { store, documents, bus, clock, directory, env: environment };
  const sweep = () => runMain(['sweep', 'run', '--once'], parts);
  const { config } = await loadConfig({ file: 'redrive.yaml', directory, environment: {} });
  if (config === undefined) throw new Error('The configuration is not valid');
  const io = { directory, openDocuments: async () => documents, env: environment };
  // Only these are used.
  const open = await openSweeps(io as unknown as Io, () => config);
  const put = (id: string, attemptCount: number) => {
    const lastAttemptTime = new Date(clock.now() - DAY_MS - 1);
    const collection = open.sweeps[0]?.collection ?? expect.fail('There is no sweep');
    documents.put(collection, { _id: id, status: 'pending', attemptCount, lastAttemptTime });
  };
  return { clock, store, sweep, put, open, io };
}

test('sweep run --once pushes at its end; totals go on over runs, and nothing of an earlier push is left', async () => {
  const { clock, sweep, put } = await setUp({ PUSHGATEWAY_URL: gateway.url });
  put('a', 1);
  put('b', 3);
  expect(await sweep()).toMatchObject({ exitCode: 0 });
  const group = 'instance="",job="retry-job"';
  expect(await pushed()).toEqual(
    expect.arrayContaining([
      `retry_job_documents_requeued_total{collection="archives",${group}} 1`,
      `retry_job_documents_max_retries_exceeded_total{collection="archives",${group}} 1`,
      `retry_job_runs_total{${group},status="success"} 1`,
      `retry_job_stuck_documents{collection="archives",${group}} 1`,
      `retry_job_documents_waiting{collection="archives",${group}} 0`,
      `retry_job_duration_seconds_count{${group}} 1`,
    ]),
  );
  clock.shift(DAY_MS);
  put('c', 1);
  expect(await sweep()).toMatchObject({ exitCode: 0 });
  expect(await pushed()).toEqual(
    expect.arrayContaining([
      `retry_job_documents_requeued_total{collection="archives",${group}} 3`,
      `retry_job_runs_total{${group},status="success"} 2`,
      expect.stringMatching(/^retry_job_last_success_timestamp_seconds\{.*\} 1\.\d+e\+09$/),
    ]),
  );
}, 60_000);

test('each scheduled sweep of a worker pushes', async () => {
  const { clock, store, put, open, io } = await setUp({
    PUSHGATEWAY_URL: gateway.url,
    PUSHGATEWAY_JOB: 'worker/1',
  });
  put('a', 1);
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => lines.push(line), error: () => {}, info: () => {} };
  const parts = { io, store, clock, log };
  // Of the log and the command only these parts are used.
  const handlers = documentHandlers(
    open,
    {},
    parts as unknown as Parameters<typeof documentHandlers>[2],
  );
  const handler = handlers['sweeps.run'];
  if (typeof handler !== 'object' || !('run' in handler)) throw new Error('It has no run');
  const context = { signal: new AbortController().signal };
  // The handler of sweeps reads the signal only.
  await handler.run(undefined as never, context as never);
  expect(lines).toEqual([]);
  const own = (await pushed()).filter((line) => line.includes('job="worker/1"'));
  expect(own).toContain(
    'retry_job_stuck_documents{collection="archives",instance="",job="worker/1"} 1',
  );
}, 60_000);
