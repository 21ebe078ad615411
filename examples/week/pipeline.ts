// What the four services share: their documents in MongoDB, the broker, and a count of what really happened.
import { fileURLToPath } from 'node:url';
import { loadConfig, type SweepSettings, sweepsSettings } from '@redrive/config';
import { type Clock, newId } from '@redrive/core';
import { documentsOn, type OwnDocuments } from '@redrive/durable/documents';
import type { Bus } from '@redrive/durable/events';
import { mongodbDocuments } from '@redrive/mongodb';
import { type Collection, MongoClient } from 'mongodb';

export type Kind = 'archives' | 'messages' | 'chunks' | 'threads';

export interface Document {
  readonly _id: string;
  readonly parent?: string;
  readonly text?: string;
  readonly status?: string;
  readonly lastError?: string;
}

/** Counted by the services themselves, without Redrive. */
export class Count {
  /** Runs of a handler. */
  readonly attempts = new Map<string, number>();
  /** Runs of a handler that threw. */
  readonly failures = new Map<string, number>();
  /** Failures of the last attempt. */
  readonly givenUp = new Map<string, number>();
  /** How often a document was processed, by kind and id. */
  readonly processed = new Map<string, number>();
  /** Ids of the events that sweeps sent, by collection. */
  readonly swept = new Map<string, Set<string>>();

  add(map: Map<string, number>, key: string): void {
    map.set(key, (map.get(key) ?? 0) + 1);
  }
}

export interface Pipeline {
  readonly clock: Clock;
  readonly count: Count;
  collection(kind: Kind): Collection<Document>;
  documents(kind: Kind): OwnDocuments;
  /** A new document, created now. */
  initialise<T extends object>(kind: Kind, document: T): T & Readonly<Record<string, unknown>>;
  /** Publishes the event of these documents. */
  publish(kind: Kind, ids: readonly string[]): Promise<void>;
  /** Whether the database shows this document already: a secondary may be behind. */
  isQueryable(id: string): boolean;
  close(): Promise<void>;
}

let open: Pipeline | undefined;

/** The pipeline of this process. */
export function pipeline(): Pipeline {
  if (open === undefined) throw new Error('openPipeline() comes first');
  return open;
}

export const CONFIG_FILE = fileURLToPath(new URL('redrive.yaml', import.meta.url));

/** Opens the database of MONGODB_HOST. */
export async function openPipeline(clock: Clock, bus: Bus): Promise<Pipeline> {
  const { config, problems } = await loadConfig({ file: CONFIG_FILE });
  if (config === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const settings = sweepsSettings(config).collections;
  const of = (kind: Kind): SweepSettings => {
    const found = settings.find(({ name }) => name === kind);
    if (found === undefined) throw new Error(`redrive.yaml has no collection ${kind}`);
    return found;
  };
  const url = of('archives').source;
  const source = mongodbDocuments(url, { clock });
  const client = await MongoClient.connect(url);
  const own = (kind: Kind) => {
    const { table, fields, pending, done, failed } = of(kind);
    return documentsOn(source, { name: table, fields, pending, done, failed });
  };
  const all = {
    archives: own('archives'),
    messages: own('messages'),
    chunks: own('chunks'),
    threads: own('threads'),
  };
  const late = new Map([['a-1/m-1', 2]]);
  open = {
    clock,
    count: new Count(),
    collection: (kind) => client.db().collection<Document>(of(kind).table),
    documents: (kind) => all[kind],
    initialise: (kind, document) =>
      all[kind].initialise({ ...document, createdAt: new Date(clock.now()) }),
    async publish(kind, ids) {
      const { type, destination } = of(kind).event;
      const event_id = newId('event', clock);
      const timestamp = new Date(clock.now()).toISOString();
      const event = {
        event_type: type,
        event_id,
        timestamp,
        data: { [`${kind.slice(0, -1)}_ids`]: ids },
      };
      const [result] = await bus.publish([
        { destination, body: Buffer.from(JSON.stringify(event)), id: event_id },
      ]);
      if (!result?.published) throw new Error(`The broker did not take ${type}`);
    },
    isQueryable(id) {
      const looks = late.get(id) ?? 0;
      late.set(id, looks - 1);
      return looks <= 0;
    },
    async close() {
      open = undefined;
      await client.close();
      await source.close();
    },
  };
  return open;
}
