import { testCollection } from '@redrive/testkit/conformance/document-source';
import { sweepConformance } from '@redrive/testkit/conformance/sweep';
import { describe, it } from 'vitest';
import { memoryDocuments } from '../memory/documents.ts';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';

describe('sweeps in memory', () => {
  sweepConformance(
    async () => {
      const source = memoryDocuments();
      const collection = testCollection('archives');
      const { fields } = collection;
      const bus = memoryBus();
      const archives = { name: 'archive.ingested' };
      await bus.declare(archives);
      return {
        ...{ source, collection, bus, destination: archives.name, store: memoryStore() },
        async received(count) {
          const events = (await bus.peek?.(archives, count)) ?? [];
          return events.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
        },
        async put({ id, status, count, timeMs }) {
          source.put(collection, {
            [fields.id]: id,
            ...(status !== undefined && { [fields.status]: status }),
            ...(count !== undefined && { [fields.count]: count }),
            ...(timeMs !== undefined && {
              [fields.time]: timeMs === null ? null : new Date(timeMs),
            }),
          });
        },
      };
    },
    { describe, it },
  );
});
