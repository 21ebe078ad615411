import { loadConfig } from '@redrive/config';
import { memoryStore } from '@redrive/durable';
import { memoryBus } from '@redrive/durable/events';
import { expect, onTestFinished, test } from 'vitest';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { runWorker } from './run-worker.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
sweeps:
  collections:
    archives: { source: "mongodb://127.0.0.1/docs", bus: main }
`;

test('a start that fails closes what it has opened, also if a part cannot be closed', async () => {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG });
  const { config } = await loadConfig({ file: 'redrive.yaml', directory, environment: {} });
  const closed: string[] = [];
  const openBus = async () => ({
    ...memoryBus(),
    async close() {
      closed.push('bus');
      throw new Error('The broker is away');
    },
  });
  const openDocuments = async () => {
    throw new Error('no such host');
  };
  const metrics = { close: async () => void closed.push('metrics') };
  const io = { directory, openBus, openDocuments };
  const parts = { io, current: () => config, store: memoryStore(), metrics };
  // It fails before it uses any other part.
  const run = runWorker(parts as unknown as Parameters<typeof runWorker>[0]);
  await expect(run).rejects.toThrow();
  expect(closed).toEqual(['bus', 'metrics']);
});
