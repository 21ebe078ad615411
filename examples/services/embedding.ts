// The embedding service: gets a vector for each chunk of a `chunks.prepared` event from a model.
import type { JobContext } from '@redrive/durable';
import { DocumentNotFoundError } from '@redrive/durable/events';
import { primary, replica, untilReadable } from './database.ts';

const MODEL_URL = process.env.MODEL_URL ?? 'http://127.0.0.1:8090';

interface ChunksPrepared {
  readonly data: { readonly chunk_ids: readonly string[] };
}

export default async function embed(
  { data }: ChunksPrepared,
  context: JobContext,
): Promise<string> {
  const { chunk_ids: ids } = data;
  await untilReadable(context);
  const { rows } = await replica.query<{ id: string; body: string }>(
    'select id, body from chunks where id = any($1) order by id',
    [ids],
  );
  if (rows.length < ids.length)
    throw new DocumentNotFoundError(`Found ${rows.length} of ${ids.length} chunks`);
  for (const { id, body } of rows) {
    const vector = await vectorOf(body, context.signal);
    await primary.query('insert into embeddings values ($1, $2) on conflict do nothing', [
      id,
      vector,
    ]);
  }
  return `${rows.length} embeddings`;
}

async function vectorOf(text: string, signal: AbortSignal): Promise<readonly number[]> {
  // A model that does not answer, 429 and 5xx are tried again; other statuses are final.
  const response = await fetch(MODEL_URL, { method: 'POST', body: text, signal });
  if (!response.ok)
    throw Object.assign(new Error(`The model answered ${response.status}`), {
      status: response.status,
    });
  // The model answers with a list of numbers.
  return (await response.json()) as readonly number[];
}
