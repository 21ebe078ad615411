import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAudit } from '@redrive/durable/audit';
import { expect } from 'vitest';
import { eventually, openServices, type ServicesOptions } from './services.ts';

const CHUNKS = [
  ['archive.1.1', 'archive.1.2', 'archive.2.1', 'archive.2.2', 'archive.2.3', 'archive.3.1'],
  ['archive.4.1', 'archive.4.2', 'archive.5.1', 'archive.5.2', 'archive.6.1'],
].flat();

/** Both services through a kill, a restart and an outage of the model. Each chunk gets one embedding. */
export async function runBothServices(options: ServicesOptions): Promise<void> {
  const services = await openServices(options);
  const { model, run, start, store, embedded, states, directory } = services;
  const chunking = start('chunking', 'default');
  const killed = start('embedding');

  // A kill in the middle of the work: the model has requests, and has answered none.
  await model.start();
  expect(run('parsing.ts')).toContain('parsed archive.6\n');
  await eventually('every event runs', () => model.asked.length === 6);
  await killed.kill();
  model.release();
  expect(await embedded()).toEqual([]);
  const embedding = start('embedding');
  await eventually('each chunk is embedded', async () => (await embedded()).length === 11);
  expect(await embedded()).toEqual(CHUNKS);
  const job = await store.job('embedding-archive.1.1-archive.1.2');
  expect(job?.headers['redrive-read-token']).toMatch(/^[\dA-F]+\/[\dA-F]+$/);

  // An outage of the model: events wait together, and none of them dies.
  await model.stop();
  const lines = Array.from({ length: 12 }, (_, index) => `Message ${index}.`);
  writeFileSync(join(directory, 'outage.txt'), lines.join('\n'));
  run('parsing.ts', 'outage.txt');
  await eventually('events are parked', async () => {
    const { parked = 0 } = await states('embedding.chunks_prepared');
    return parked >= 9;
  });
  expect((await store.parks()).map(({ cause }) => cause)).toEqual(['breaker:model']);
  await model.start();
  model.release();
  await eventually('the outage is over', async () => {
    const { succeeded } = await states('embedding.chunks_prepared');
    return succeeded === 18;
  });
  expect(await states('embedding.chunks_prepared')).toEqual({ succeeded: 18 });
  expect(await embedded()).toHaveLength(23);

  expect([await chunking.stop(), await embedding.stop()]).toEqual([0, 0]);
  const reader = await store.readAudit();
  expect((await verifyAudit(reader)).problems).toEqual([]);
  await reader.close();
}

/** The race: an event comes first, and its document later. */
export async function runLateDocument(options: ServicesOptions): Promise<void> {
  const services = await openServices(options);
  const { model, run, redrive, start, store, embedded, states, directory } = services;
  await model.start();
  model.release();
  const service = start('chunking', 'embedding', 'default');
  redrive('events', 'publish', 'chunking', '{"data":{"message_ids":["late.1"]}}');
  await eventually('the event fails', async () => {
    const late = await store.job('chunking-late.1');
    return late?.attempts.kept[0]?.error?.type === 'DocumentNotFoundError';
  });
  writeFileSync(join(directory, 'late.txt'), 'The mail was slow.');
  run('parsing.ts', 'late.txt');
  await eventually('it is embedded', async () => (await embedded()).includes('late.1.1'));
  await eventually('it is logged', () => service.log.includes('Event processed successfully'));
  // The parsing service published it too: one event, one job.
  expect(await states('chunking.json_parsed')).toEqual({ succeeded: 1 });
  expect(await service.stop()).toBe(0);
}
