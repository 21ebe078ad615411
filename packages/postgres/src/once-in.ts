import { RedriveError } from '@redrive/core';
import {
  checkReservation,
  type LedgerOptions,
  ledgerValue,
  ledgerValueText,
  resolveLedgerOptions,
  wholeMs,
} from '@redrive/durable/store';
import { askRow, numberText } from './connect/ask-row.ts';
import { checkTransaction, explainAborted } from './connect/check-transaction.ts';
import type { TransactionClient } from './driver-types.ts';
import { inTurn } from './in-turn.ts';
import { type PostgresStoreOptions, resolveStoreOptions } from './options.ts';

export interface OnceInRequest {
  readonly key: string;
  /** Hash of the parameters: the same key with another one throws `idempotency_conflict`. Default `""`. */
  readonly fingerprint?: string | undefined;
  /**
   * How long to wait for the end of another transaction that runs the same key, and of another call on the same client, in
   * milliseconds. Default 10,000; 0: not at all.
   */
  readonly waitMs?: number | undefined;
}

export type OnceInOptions = Pick<PostgresStoreOptions, 'schema' | 'clock'> & LedgerOptions;

/**
 * Runs a function once per idempotency key inside your own transaction. The writes of `run` with the client and the record
 * of the key commit together or not at all, so the effect happens exactly once. Returns the recorded value (as JSON keeps
 * it) if the key is done.
 *
 * ```ts no-run
 * await client.query('begin');
 * const invoice = await onceIn(client, { key: `charge:${order}` }, async () => {
 *   await client.query('insert into charges …');
 *   return { charged: true };
 * });
 * await client.query('commit');
 * ```
 *
 * A second transaction with the same key waits for the first one, at most `waitMs`. Then it gets the result, or runs if
 * the first transaction was rolled back. Under `repeatable read` and `serializable` it cannot see a result that was
 * committed after it began, and fails with the database's serialization error instead.
 *
 * When `run` throws, its writes are rolled back, nothing is recorded, and your transaction can go on. Calls on one client
 * take turns, because the rollback of one call would also undo the writes of another. A call inside `run` is part of that
 * run, and must have another key.
 *
 * @param run gets a token that increases with every run of the key.
 * @throws RedriveError `idempotency_in_progress`: another caller holds the key, with a lease or in a transaction;
 *   `idempotency_conflict`, `payload_too_large`, `not_in_transaction`, `invalid_option`; errors of the database as they
 *   are, because the transaction is the caller's.
 */
export async function onceIn<T>(
  client: TransactionClient,
  request: OnceInRequest,
  run: (token: number) => T | PromiseLike<T>,
  options: OnceInOptions = {},
): Promise<T> {
  const { key, fingerprint = '', waitMs = 10_000 } = request;
  const { retentionMs, maxValueBytes, ...place } = options;
  const { schema, clock } = resolveStoreOptions(place);
  const limits = resolveLedgerOptions({
    ...(retentionMs === undefined ? {} : { retentionMs }),
    ...(maxValueBytes === undefined ? {} : { maxValueBytes }),
  });
  checkReservation(key, { fingerprint, leaseMs: 1 });
  checkWait(waitMs);
  const nowText = () => numberText(clock?.now());

  const patience = {
    waitMs,
    refusal: () =>
      new RedriveError(
        'idempotency_in_progress',
        `Another onceIn on this client has not ended within ${waitMs} ms: nothing was run under ${key}`,
        { key },
      ),
  };
  return inTurn(client, patience, async (depth) => {
    await checkTransaction(client, 'onceIn');
    const savepoint = `redrive_once_${depth}`;
    await client.query(`savepoint ${savepoint}`).catch((error: { code?: unknown }) => {
      throw explainAborted('onceIn', error);
    });
    try {
      const result = await ranOnce();
      await client.query(`release savepoint ${savepoint}`);
      return result;
    } catch (error) {
      // On a connection that is gone the transaction is too.
      await undo(client, savepoint).catch(() => {});
      throw error;
    }
  });

  async function ranOnce(): Promise<T> {
    const {
      answer,
      token,
      fingerprint: recorded,
      value,
      lease_left: leaseLeft,
    } = await askRow(
      client,
      'onceIn',
      BEGIN_COLUMNS,
      [`"${schema}".once_begin`, 'bigint', 'text', 'text', 'bigint'],
      [nowText(), key, fingerprint, String(Math.ceil(waitMs))],
    );
    // The caller's promise: what a key stands for has one type.
    if (answer === 'done') return ledgerValue(value) as T;
    if (answer !== 'reserved') throw refusalOf(key, fingerprint, answer, recorded, leaseLeft);
    const result = await run(Number(token));
    await askRow(
      client,
      'onceIn',
      {},
      [`"${schema}".once_end`, 'bigint', 'text', 'bigint', 'bigint', 'text'],
      [
        nowText(),
        key,
        token,
        String(wholeMs(limits.retentionMs)),
        ledgerValueText(key, result, limits.maxValueBytes) ?? null,
      ],
    );
    return result;
  }
}

/** One statement at a time, because some clients prepare each. */
async function undo(client: TransactionClient, savepoint: string): Promise<void> {
  await client.query(`rollback to savepoint ${savepoint}`);
  await client.query(`release savepoint ${savepoint}`);
}

const BEGIN_COLUMNS = {
  answer: 'answer',
  token: 'token',
  fingerprint: 'fingerprint',
  value: 'value',
  lease_left: 'lease_left',
};

function checkWait(waitMs: number): void {
  if (waitMs >= 0 && waitMs <= MAX_WAIT_MS) return;
  throw new RedriveError('invalid_option', `waitMs must be from 0 to ${MAX_WAIT_MS}`, { waitMs });
}

/** The largest value of an integer setting of the server. */
const MAX_WAIT_MS = 2 ** 31 - 1;

function refusalOf(
  key: string,
  fingerprint: string,
  answer: string | null,
  recordedFingerprint: string | null,
  leaseLeft: string | null,
): RedriveError {
  if (answer === 'conflict') {
    return new RedriveError(
      'idempotency_conflict',
      `Idempotency key ${key} was used with other parameters`,
      { key, fingerprint, recordedFingerprint },
    );
  }
  return new RedriveError(
    'idempotency_in_progress',
    `Idempotency key ${key} is held by another caller`,
    { key, leaseLeftMs: leaseLeft === null ? undefined : Number(leaseLeft) },
  );
}
