import type { FullStore } from '@redrive/durable';
import { BUS_CAPABILITIES, type Delivery, storeBus } from '@redrive/durable/events';
import { busConformance } from '@redrive/testkit/conformance/bus';
import { describe, it } from 'vitest';
import { openStore } from './open-store.ts';
import { scratch } from './testing/scratch.ts';

const source = { name: 'orders', bus: 'main', handler: 'order.take' };

/** Every job of the source, also dead letters, the oldest first. */
async function arrived(store: FullStore): Promise<Delivery[]> {
  const { jobs } = await store.jobs({ queue: source.name }, { limit: 1_000 });
  const deliveries = jobs.toReversed().map(async ({ id }) => {
    const job = await store.job(id);
    if (job === undefined) throw new Error(`No job ${id}`);
    const { payload, headers } = job;
    return {
      id: id.slice(source.name.length + 1),
      destination: source.name,
      body: payload.kind === 'bytes' ? payload.bytes : new TextEncoder().encode(payload.text),
      headers,
      redelivered: false,
    };
  });
  return Promise.all(deliveries);
}

describe('the store bus on SQLite', () => {
  busConformance(
    async () => {
      const directory = scratch();
      const store = await openStore(directory.path);
      const bus = storeBus(store, [{ ...source, headers: ['content-type', 'x-note'] }]);
      const close = async () => {
        await store.close();
        directory.remove();
      };
      return { bus, arrived: () => arrived(store), close };
    },
    { describe, it },
    BUS_CAPABILITIES.store,
  );
});
