import { type FullStore, final, jobsOn, memoryStore } from '@redrive/durable';

/** A store in which ten jobs of one handler died and thirty of another succeeded. */
export async function storeWithCauses(): Promise<FullStore> {
  const store = memoryStore();
  const handlers = { resize: () => final('no such image'), sync: () => {} };
  const jobs = jobsOn(store, handlers, { log: 'off' });
  for (let n = 0; n < 40; n++) await jobs.enqueue(n < 10 ? 'resize' : 'sync', {});
  await jobs.start();
  await jobs.idle();
  await jobs.stop();
  return store;
}
