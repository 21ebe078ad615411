import { checkLimit, type EventDocuments, type NewestEvent } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Reader } from './reader.ts';

/** In the order of the key: two such calls cannot wait for each other in a circle. */
export async function noteEventDocuments(
  reader: Reader,
  events: readonly EventDocuments[],
): Promise<void> {
  const rows = events.flatMap(({ documents, ...event }) =>
    documents.map((document) => ({ ...event, document })),
  );
  if (rows.length === 0) return;
  await reader.rows({
    name: 'redrive note_event_documents',
    text: `insert into ${reader.schema}.event_documents as e (collection, document, seq, bytes)
      select distinct on (d.collection collate "C", d.document collate "C") d.collection, d.document, i.seq, d.bytes
      from unnest($1::text[], $2::text[], $3::text[], $4::integer[]) as d(collection, document, id, bytes)
      join ${reader.schema}.ids i on i.id = d.id
      order by d.collection collate "C", d.document collate "C", i.seq desc
      on conflict (collection, document) do update set seq = excluded.seq, bytes = excluded.bytes
      where e.seq < excluded.seq`,
    values: [
      textArray(rows.map(({ collection }) => collection)),
      textArray(rows.map(({ document }) => document)),
      textArray(rows.map(({ job }) => job)),
      `{${rows.map(({ bytes }) => bytes).join(',')}}`,
    ],
  });
}

/** One look into the key per document, and one for its job. */
export const newestEventsSql = (schema: string) => `
  select d.document, j.id, e.bytes from unnest($2::text[]) as d(document)
  cross join lateral (
    select n.seq, n.bytes from ${schema}.event_documents n
    where n.collection = $1 and n.document = d.document collate "C" limit 1
  ) e
  cross join lateral (
    select w.id from ${schema}.jobs w where w.seq = e.seq
    union all
    select f.id from ${schema}.finished f where f.seq = e.seq and f.state <> 'purged'
    limit 1
  ) j`;

export async function newestEvents(
  reader: Reader,
  collection: string,
  documents: readonly string[],
): Promise<ReadonlyMap<string, NewestEvent>> {
  if (documents.length === 0) return new Map();
  checkLimit('documents', documents.length);
  const rows = await reader.rows({
    name: 'redrive newest_events',
    text: newestEventsSql(reader.schema),
    values: [collection, textArray(documents)],
  });
  return new Map(
    rows.map(([document, job, bytes]) => [
      document ?? '',
      { job: job ?? '', bytes: Number(bytes) },
    ]),
  );
}
