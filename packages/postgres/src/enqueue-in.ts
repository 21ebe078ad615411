import type { EnqueueCommand, EnqueueResult } from '@redrive/durable/store';
import { encodeNewJobs } from './apply/encode-new-jobs.ts';
import { enqueueResults } from './apply/read-results.ts';
import { askRow } from './connect/ask-row.ts';
import { checkTransaction, explainAborted } from './connect/check-transaction.ts';
import type { TransactionClient } from './driver-types.ts';
import { type PostgresStoreOptions, resolveStoreOptions } from './options.ts';
import { NEW_JOB_COLUMNS } from './schema/enqueue-function.ts';

/**
 * Enqueues a job inside your own transaction: the job exists if and only if the transaction commits. Takes the command
 * that `jobs.prepare(handler, payload)` creates. Call `store.committed()` after the commit; without it, workers find the
 * job at their next poll.
 *
 * ```ts no-run
 * await client.query('begin');
 * await client.query('insert into orders …');
 * await enqueueIn(client, jobs.prepare('mail', { order }));
 * await client.query('commit');
 * store.committed();
 * ```
 *
 * If another open transaction has enqueued a job with the same unique key, the call waits for its end.
 *
 * @throws RedriveError `not_in_transaction`, `store_unsupported` (an answer of the client that cannot be read); errors of the database as they are, because the transaction is the caller's.
 */
export async function enqueueIn(
  client: TransactionClient,
  command: EnqueueCommand,
  options: Pick<PostgresStoreOptions, 'schema' | 'clock'> = {},
): Promise<EnqueueResult> {
  const { schema, clock } = resolveStoreOptions(options);
  await checkTransaction(client, 'enqueueIn');
  const numbers = NEW_JOB_COLUMNS.map((_, at) => `$${at + 2}`);
  const { outcomes, ids } = await askRow(
    client,
    'enqueueIn',
    { outcomes: 'array_to_json(outcomes)', ids: 'array_to_json(ids)' },
    `"${schema}".enqueue_in($1, ${numbers.join(', ')})`,
    [clock?.now() ?? null, ...encodeNewJobs([command])],
  ).catch((error: { code?: unknown }) => {
    throw explainAborted('enqueueIn', error);
  });
  const [result] = enqueueResults([command], listOf(outcomes), listOf(ids));
  // One command, one result.
  return result as EnqueueResult;
}

function listOf(json: string | null): string[] | undefined {
  // An array that the function answers with.
  return json === null ? undefined : (JSON.parse(json) as string[]);
}
