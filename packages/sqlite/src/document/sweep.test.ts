import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storeBus } from '@redrive/durable/events';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { sweepConformance } from '@redrive/testkit/conformance/sweep';
import { describe, it } from 'vitest';
import { openStore } from '../open-store.ts';
import { scratch } from '../testing/scratch.ts';
import { sqliteDocuments } from './sqlite-documents.ts';

describe('sweeps of SQLite, with the store as bus', () => {
  sweepConformance(
    async () => {
      const place = scratch();
      const file = join(place.directory, 'documents.db');
      const db = new DatabaseSync(file);
      db.exec('create table archives (_id text primary key, status text)');
      const source = sqliteDocuments(file);
      const collection = testCollection('archives');
      await source.prepare(collection, { dryRun: false });
      const store = await openStore(place.path);
      await store.migrate();
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
          db.prepare('insert or ignore into archives (_id) values (?)').run(id);
          const set = (column: string, value: string | number | null | undefined) => {
            if (value === undefined) return;
            db.prepare(`update archives set "${column}" = ? where _id = ?`).run(value, id);
          };
          set('status', status);
          set('attemptCount', count);
          set(
            'lastAttemptTime',
            timeMs === null || timeMs === undefined ? timeMs : new Date(timeMs).toISOString(),
          );
        },
        async close() {
          await store.close();
          db.close();
          place.remove();
        },
      };
    },
    { describe, it },
  );
});
