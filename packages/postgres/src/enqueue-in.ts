import { RedriveError } from '@redrive/core';
import type { EnqueueCommand, EnqueueResult } from '@redrive/durable/store';
import type { ClientBase } from 'pg';
import { encodeNewJobs } from './apply/encode-new-jobs.ts';
import { enqueueResults } from './apply/read-results.ts';
import { type PostgresStoreOptions, resolveStoreOptions } from './options.ts';
import { NEW_JOB_COLUMNS } from './schema/enqueue-function.ts';

/**
 * Stores a job inside the caller's own transaction: it is there if and only if that commits. Takes the command that
 * `jobs.prepare(handler, payload)` makes. After the commit call `store.committed()`, or workers find the job with their
 * next poll.
 *
 * ```ts no-run
 * await client.query('begin');
 * await client.query('insert into orders …');
 * await enqueueIn(client, jobs.prepare('mail', { order }));
 * await client.query('commit');
 * store.committed();
 * ```
 *
 * A unique key that another transaction has enqueued and not yet committed makes this one wait for it.
 *
 * @throws RedriveError `not_in_transaction`; errors of the database as they are, because the transaction is the caller's.
 */
export async function enqueueIn(
  client: ClientBase,
  command: EnqueueCommand,
  options: Pick<PostgresStoreOptions, 'schema' | 'clock'> = {},
): Promise<EnqueueResult> {
  const { schema, clock } = resolveStoreOptions(options);
  await checkTransaction(client);
  const numbers = NEW_JOB_COLUMNS.map((_, at) => `$${at + 2}`);
  const { rows } = await client
    .query<(string | null)[]>({
      text: `select array_to_json(outcomes)::text, array_to_json(ids)::text from "${schema}".enqueue_in($1, ${numbers.join(', ')})`,
      values: [clock?.now() ?? null, ...encodeNewJobs([command])],
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    })
    .catch((error: { code?: unknown }) => {
      // The client learns of it a moment after who ran the statement that failed.
      throw error.code === ABORTED ? notInTransaction('E') : error;
    });
  const [outcomes, ids] = rows[0] ?? [];
  const [result] = enqueueResults([command], listOf(outcomes), listOf(ids));
  // One command, one result.
  return result as EnqueueResult;
}

/** Outside of one, the job would be stored at once, whatever becomes of what the caller does next. */
async function checkTransaction(client: ClientBase): Promise<void> {
  // Clients before pg 8.18 do not know: then the server is asked, which allows savepoints in transactions only.
  const status =
    'getTransactionStatus' in client && typeof client.getTransactionStatus === 'function'
      ? client.getTransactionStatus()
      : await client.query('savepoint redrive_in; release savepoint redrive_in').then(
          () => 'T',
          () => 'I',
        );
  if (status !== 'T') throw notInTransaction(status);
}

/** The server's code for a transaction in which a statement has failed: it can only be rolled back. */
const ABORTED = '25P02';

function notInTransaction(status: unknown): RedriveError {
  return new RedriveError(
    'not_in_transaction',
    'enqueueIn needs a client that is in a transaction which can still commit: call begin first, or use jobs.enqueue',
    { status },
  );
}

function listOf(json: string | null | undefined): string[] | undefined {
  // An array that the function answers with.
  return json === null || json === undefined ? undefined : (JSON.parse(json) as string[]);
}
