import type { DatabaseSync } from 'node:sqlite';
import {
  checkLimit,
  type EventDocumentStore,
  type EventDocuments,
  type NewestEvent,
} from '@redrive/durable/store';
import { DONE } from '../command/outcome.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { PURGED } from '../job/states.ts';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';

/** The newest event of each document. The number is that of the event's job. */
export const EVENT_DOCUMENTS = `
  CREATE TABLE event_documents (
    collection TEXT NOT NULL,
    document TEXT NOT NULL,
    n INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (collection, document)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX event_documents_n ON event_documents (n);
`;

export type EncodedEventDocuments = readonly [
  kind: 'note_event_documents',
  events: readonly EventDocuments[],
];

/** The documents of events, on the connection that writes, inside its transaction. */
export class EventDocumentTable {
  readonly #withId: Query<[n: number]>;
  readonly #note: Statement;
  readonly #delete: Statement;

  constructor(db: DatabaseSync) {
    this.#withId = query(db, 'SELECT n FROM jobs WHERE id = ?');
    this.#note = statement(
      db,
      `INSERT INTO event_documents (collection, document, n, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT (collection, document) DO UPDATE SET n = excluded.n, bytes = excluded.bytes
       WHERE n < excluded.n`,
    );
    this.#delete = statement(db, 'DELETE FROM event_documents WHERE n = ?');
  }

  carryOut([, events]: EncodedEventDocuments): typeof DONE {
    for (const { collection, job, bytes, documents } of events) {
      const [n] = this.#withId.get(job) ?? [];
      if (n === undefined) continue;
      for (const document of documents) this.#note.run(collection, document, n, bytes);
    }
    return DONE;
  }

  /** The event of this job is gone. */
  forget(n: number): void {
    this.#delete.run(n);
  }
}

export interface NewestInput {
  readonly collection: string;
  readonly documents: readonly string[];
}

type NewestRow = [document: string, job: string, bytes: number];

/** The documents come first, and each is one look into the key. */
export const NEWEST_EVENTS = `
  SELECT e.document, j.id, e.bytes FROM json_each(?) d
  CROSS JOIN event_documents e ON e.collection = ? AND e.document = d.value
  CROSS JOIN jobs j ON j.n = e.n WHERE j.state <> ${PURGED}`;

/** The task of the reading thread. */
export function eventDocumentTasks(open: () => DatabaseSync) {
  return {
    newestEvents: ({ collection, documents }: NewestInput): readonly NewestRow[] =>
      query<NewestRow>(open(), NEWEST_EVENTS).all(JSON.stringify(documents), collection),
  };
}

/** The documents of events, as this thread sees them. */
export function askEventDocuments(
  commit: (call: EncodedEventDocuments) => Promise<unknown>,
  reader: Calls<Reads>,
): EventDocumentStore {
  return {
    async noteEventDocuments(events) {
      if (events.length > 0) await commit(['note_event_documents', events]);
    },

    async newestEvents(collection, documents) {
      if (documents.length === 0) return new Map<string, NewestEvent>();
      checkLimit('documents', documents.length);
      const rows = await reader.call('newestEvents', {
        collection,
        documents,
      });
      return new Map(rows.map(([document, job, bytes]) => [document, { job, bytes }]));
    },
  };
}
