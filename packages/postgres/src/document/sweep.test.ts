import { storeBus } from '@redrive/durable/events';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { sweepConformance } from '@redrive/testkit/conformance/sweep';
import { describe, it } from 'vitest';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { postgresDocuments } from './postgres-documents.ts';

const server = testServer(NO_SYNC);
let tables = 0;

describe('sweeps of Postgres, with the store as bus', () => {
  sweepConformance(
    async () => {
      tables += 1;
      const table = `archives_${tables}`;
      await server.sql(`create table ${table} (_id text primary key, status text)`);
      const source = postgresDocuments(server.url);
      const collection = testCollection(table);
      await source.prepare(collection, { dryRun: false });
      const store = await openMade(server.url, { schema: server.newSchema() });
      const events: unknown[] = [];
      const sink = { name: 'parsing', bus: 'main', handler: 'sink', subject: 'archive.ingested' };
      return {
        source,
        collection: { ...collection, fields: { ...collection.fields, read: [] } },
        store,
        bus: storeBus(store, [sink]),
        destination: 'archive.ingested',
        handlers: { sink: async (event: unknown) => void events.push(event) },
        received: async () => events,
        async put({ id, status, count, timeMs }) {
          await server.sql(`insert into ${table} (_id) values ($1) on conflict do nothing`, [id]);
          const time = typeof timeMs === 'number' ? new Date(timeMs) : timeMs;
          const columns = { status, attemptCount: count, lastAttemptTime: time };
          for (const [column, value] of Object.entries(columns)) {
            if (value === undefined) continue;
            await server.sql(`update ${table} set "${column}" = $1 where _id = $2`, [value, id]);
          }
        },
        close: () => store.close(),
      };
    },
    { describe, it },
  );
});
