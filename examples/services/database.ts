// The documents of both services. They are in the database of the jobs, so that a document and its event can be
// written in one transaction.
import type { JobContext } from '@redrive/durable';
import { READ_TOKEN_HEADER } from '@redrive/durable/events';
import { waitUntilReadable } from '@redrive/postgres';
import pg from 'pg';

/** Writes go to the primary. */
export const primary = poolOf(process.env.REDRIVE_STORE);
/** Reads go to a replica, where there is one. It may be behind. */
export const replica = process.env.REPLICA_URL ? poolOf(process.env.REPLICA_URL) : primary;

function poolOf(connectionString: string | undefined): pg.Pool {
  if (!connectionString)
    throw new Error('Set REDRIVE_STORE to the address of a Postgres database.');
  const pool = new pg.Pool({ connectionString, allowExitOnIdle: true });
  // An idle connection that breaks is replaced. Without a listener the process would end.
  pool.on('error', () => {});
  return pool;
}

/** Resolves when the replica shows all that was committed before the event was published. */
export async function untilReadable({ headers }: Pick<JobContext, 'headers'>): Promise<void> {
  const token = headers[READ_TOKEN_HEADER];
  // Events of `redrive events publish` have none.
  if (token !== undefined) await waitUntilReadable(replica, token);
}
