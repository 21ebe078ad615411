import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { RetryableError } from '@redrive/durable/events';

/** A `Client` or a `Pool` of `pg`. */
export interface Queryable {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

export interface ReadableOptions {
  /** How long to wait for the replica. Default 500. 0: look once. */
  readonly timeoutMs?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

const LOOK_MS = 25;

/** Not the position that is written: with synchronous_commit = off a commit may be visible before. */
export const READ_TOKEN_SQL = 'select pg_current_wal_insert_lsn()::text as token';

/**
 * The position of the primary's write-ahead log: everything that was committed before this call lies behind it. Take it
 * after the commit, as `publishHandler` does: inside of the transaction it would be too early.
 */
export async function readToken(primary: Queryable): Promise<string> {
  const { rows } = await primary.query(READ_TOKEN_SQL);
  return String(rows[0]?.token);
}

/**
 * Resolves when the server shows all that was committed before `readToken` gave the token. On a primary at once.
 *
 * @throws RetryableError where a replica is still behind after `timeoutMs`; RedriveError `invalid_option` where the token
 *   is none.
 */
export async function waitUntilReadable(
  replica: Queryable,
  token: string,
  { timeoutMs = 500, clock = systemClock }: ReadableOptions = {},
): Promise<void> {
  if (!/^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i.test(token))
    throw new RedriveError(
      'invalid_option',
      'The read token is not valid: pass a token of readToken()',
    );
  const untilMs = clock.monotonic() + timeoutMs;
  for (;;) {
    const { rows } = await replica.query(
      'select not pg_is_in_recovery() or coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as readable',
      [token],
    );
    if (rows[0]?.readable === true) return;
    const leftMs = untilMs - clock.monotonic();
    if (leftMs <= 0)
      throw new RetryableError(`The replica has not replayed ${token} within ${timeoutMs} ms`);
    await new Promise<void>((resolve) => {
      clock.setTimer(Math.min(LOOK_MS, leftMs), resolve);
    });
  }
}
