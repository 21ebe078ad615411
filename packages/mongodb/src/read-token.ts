import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { RetryableError } from '@redrive/durable/events';
import { type ClientSession, type Db, MongoServerError, Timestamp } from 'mongodb';

export interface ReadableOptions {
  /** A session with causal consistency, the driver's default: its later reads see the writes on every member. Default: none. */
  readonly session?: ClientSession | undefined;
  /** How long to wait for the member. Default 500. */
  readonly timeoutMs?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

const LOOK_MS = 25;
/** MaxTimeMSExpired, and InvalidOptions of a member that does not know this time yet. */
const BEHIND: ReadonlySet<unknown> = new Set([50, 72]);

export const tokenText = ({ t, i }: Timestamp) => `${t}:${i}`;

/**
 * The operation time of the primary: all writes that were acknowledged before this call are not after it.
 *
 * @throws RedriveError `documents_refused` where the server is not a member of a replica set.
 */
export async function readToken(db: Db): Promise<string> {
  const { operationTime } = await db.command({ ping: 1 }, { readPreference: 'primary' });
  if (operationTime instanceof Timestamp) return tokenText(operationTime);
  throw new RedriveError(
    'documents_refused',
    'A server alone has no operation time: use a replica set',
  );
}

/**
 * Resolves when a member, by the read preference of `db`, shows all that was written before the token. Events of a change
 * feed have it in the header `redrive-read-token`.
 *
 * @throws RetryableError where the member is still behind after `timeoutMs`; RedriveError `invalid_option` where the token
 *   is not valid.
 */
export async function waitUntilReadable(
  db: Db,
  token: string,
  { session, timeoutMs = 500, clock = systemClock }: ReadableOptions = {},
): Promise<void> {
  const [, t, i] = /^(\d{1,10}):(\d{1,10})$/.exec(token) ?? [];
  if (t === undefined)
    throw new RedriveError(
      'invalid_option',
      'The read token is not valid: pass a token of readToken()',
    );
  const afterClusterTime = new Timestamp({ t: Number(t), i: Number(i) });
  const untilMs = clock.monotonic() + timeoutMs;
  for (;;) {
    const leftMs = untilMs - clock.monotonic();
    try {
      // Finds nothing: the server answers when it has this time.
      const look = { find: 'redrive_read_token', filter: {}, limit: 1, singleBatch: true };
      const readConcern = { level: 'local', afterClusterTime };
      const maxTimeMS = Math.max(1, Math.ceil(leftMs));
      const { readPreference } = db;
      const { $clusterTime } = await db.command(
        { ...look, readConcern, maxTimeMS },
        { ...(readPreference && { readPreference }) },
      );
      // Another member that does not know this time yet refuses a read after it: the session brings the time along.
      if ($clusterTime) session?.advanceClusterTime($clusterTime);
      session?.advanceOperationTime(afterClusterTime);
      return;
    } catch (error) {
      if (!(error instanceof MongoServerError) || !BEHIND.has(error.code)) throw error;
      if (leftMs <= 0)
        throw new RetryableError(`The member has not replayed ${token} within ${timeoutMs} ms`);
    }
    await new Promise<void>((resolve) => {
      clock.setTimer(LOOK_MS, resolve);
    });
  }
}
