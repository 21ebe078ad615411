import { checkManyCommands, type EnqueueCommand, type EnqueueResult } from '@redrive/durable/store';
import { encodeNewJobs } from './apply/encode-new-jobs.ts';
import { enqueueResults } from './apply/read-results.ts';
import { askRow, numberText } from './connect/ask-row.ts';
import { checkTransaction, explainAborted } from './connect/check-transaction.ts';
import type { TransactionClient } from './driver-types.ts';
import { type PostgresStoreOptions, resolveStoreOptions } from './options.ts';
import { NEW_JOBS } from './schema/enqueue-function.ts';

export type EnqueueInOptions = Pick<PostgresStoreOptions, 'schema' | 'clock'>;

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
  options: EnqueueInOptions = {},
): Promise<EnqueueResult> {
  const [result] = await enqueueAll(client, 'enqueueIn', [command], options);
  // One command, one result.
  return result as EnqueueResult;
}

/**
 * Enqueues up to 10,000 jobs inside your own transaction, in one statement. Otherwise like `enqueueIn`. Returns a result
 * for each command, in their order.
 *
 * ```ts no-run
 * await enqueueManyIn(client, orders.map((order) => jobs.prepare('mail', { order })));
 * ```
 *
 * @throws RedriveError `invalid_job` (more than 10,000 commands), `payload_too_large` (more than 64 MiB together), and the errors of `enqueueIn`.
 */
export async function enqueueManyIn(
  client: TransactionClient,
  commands: readonly EnqueueCommand[],
  options: EnqueueInOptions = {},
): Promise<EnqueueResult[]> {
  checkManyCommands(commands);
  return commands.length === 0 ? [] : enqueueAll(client, 'enqueueManyIn', commands, options);
}

async function enqueueAll(
  client: TransactionClient,
  who: string,
  commands: readonly EnqueueCommand[],
  options: EnqueueInOptions,
): Promise<EnqueueResult[]> {
  const { schema, clock } = resolveStoreOptions(options);
  await checkTransaction(client, who);
  const { outcomes, ids } = await askRow(
    client,
    who,
    { outcomes: 'array_to_json(outcomes)', ids: 'array_to_json(ids)' },
    [`"${schema}".enqueue_in`, 'bigint', ...NEW_JOBS.types],
    [numberText(clock?.now()), ...encodeNewJobs(commands)],
  ).catch((error: { code?: unknown }) => {
    throw explainAborted(who, error);
  });
  return enqueueResults(commands, listOf(outcomes), listOf(ids));
}

function listOf(json: string | null): string[] | undefined {
  // An array that the function answers with.
  return json === null ? undefined : (JSON.parse(json) as string[]);
}
