// The chunking service: cuts the messages of a `json.parsed` event into chunks, and publishes `chunks.prepared`.
import type { JobContext } from '@redrive/durable';
import { DocumentNotFoundError } from '@redrive/durable/events';
import { replica, untilReadable } from './database.ts';
import { writeWithEvent } from './outbox.ts';

interface JsonParsed {
  readonly data: { readonly message_ids: readonly string[] };
}

export default async function chunk({ data }: JsonParsed, context: JobContext): Promise<string> {
  const { message_ids: ids } = data;
  await untilReadable(context);
  const { rows } = await replica.query<{ id: string; body: string }>(
    'select id, body from messages where id = any($1) order by id',
    [ids],
  );
  // The event came before its document can be read: it is tried again.
  if (rows.length < ids.length)
    throw new DocumentNotFoundError(`No message ${missing(ids, rows).join(', ')}`);
  const chunks = rows.flatMap(({ id, body }) =>
    body.split(/(?<=\.)\s+/).map((text, index) => ({ id: `${id}.${index + 1}`, text })),
  );
  const chunkIds = chunks.map(({ id }) => id);
  // An attempt that crashed may have written them before.
  await writeWithEvent('chunks.prepared', { chunk_ids: chunkIds }, (client) =>
    client.query(
      'insert into chunks select * from unnest($1::text[], $2::text[]) on conflict do nothing',
      [chunkIds, chunks.map(({ text }) => text)],
    ),
  );
  return `${chunks.length} chunks`;
}

function missing(ids: readonly string[], rows: readonly { id: string }[]): readonly string[] {
  return ids.filter((id) => !rows.some((row) => row.id === id));
}
