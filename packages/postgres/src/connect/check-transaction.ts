import { RedriveError } from '@redrive/core';
import type { TransactionClient } from '../driver-types.ts';

/** Outside a transaction the write would be committed at once, and would stay if the caller's next statement fails. */
export async function checkTransaction(client: TransactionClient, who: string): Promise<void> {
  // pg before 8.18 and other drivers do not report it. Then a savepoint shows it, which the server allows only in
  // transactions. One statement at a time, because some clients prepare each.
  const status =
    'getTransactionStatus' in client && typeof client.getTransactionStatus === 'function'
      ? client.getTransactionStatus()
      : await savepoint(client).then(
          () => 'T',
          () => 'I',
        );
  if (status !== 'T') throw notInTransaction(who, status);
}

async function savepoint(client: TransactionClient): Promise<void> {
  await client.query('savepoint redrive_in');
  await client.query('release savepoint redrive_in');
}

/** The server's code for a transaction in which a statement has failed: it can only be rolled back. */
const ABORTED = '25P02';

/** Returns the error unchanged, unless it means that the transaction had ended: the client may learn of that late. */
export function explainAborted(who: string, error: { code?: unknown }): unknown {
  return error.code === ABORTED ? notInTransaction(who, 'E') : error;
}

function notInTransaction(who: string, status: unknown): RedriveError {
  const instead = who === 'enqueueIn' ? 'jobs.enqueue' : 'ledger.once';
  return new RedriveError(
    'not_in_transaction',
    `${who} needs a client in an open transaction that can still commit: call begin first, or use ${instead}`,
    { status },
  );
}
