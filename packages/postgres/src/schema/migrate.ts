import type { Session } from '../connect/connection.ts';
import { sqlStateOf } from '../connect/errors.ts';
import { pause } from '../connect/pause.ts';
import { findSchema, isUsable } from './found-schema.ts';
import type { SchemaCode } from './migrations.ts';
import { lockKey, planOf } from './plan.ts';

export interface MigrateOptions {
  readonly schema: string;
  /** The store's name, for errors. */
  readonly store: string;
  readonly code: SchemaCode;
  /** Of waiting for a table: as long as a migration waits for one, everybody else waits behind it. */
  readonly lockTimeoutMs: number;
}

const ASK_AGAIN_MS = 100;

/**
 * Brings the schema to this code's version, and makes it where there is none. One process migrates; the others wait, and
 * find it done.
 *
 * @throws RedriveError `schema_too_new`.
 */
export async function migrate(session: Session, options: MigrateOptions): Promise<void> {
  const { schema, code, lockTimeoutMs } = options;
  const key = lockKey(schema);
  // Asked again and again, outside of a transaction: one that waits would keep an index from being finished.
  while (!(await answersTrue(session, `select pg_try_advisory_lock(${key})`))) {
    await pause(ASK_AGAIN_MS);
  }
  try {
    const found = await findSchema(session, schema);
    if (isUsable(found, code, options)) return;
    for (const { sql } of planOf(schema, found, code, lockTimeoutMs)) {
      await run(session, sql, lockTimeoutMs);
    }
  } finally {
    await session.query({ text: `select pg_advisory_unlock(${key})` }).catch(() => {});
  }
}

/** Where a table is in use, it is tried again, so that those who wait behind it get their turn. */
async function run(session: Session, sql: string, lockTimeoutMs: number): Promise<void> {
  for (;;) {
    try {
      await session.query({ text: sql });
      return;
    } catch (error) {
      await session.query({ text: 'rollback' }).catch(() => {});
      if (!TRY_AGAIN.has(sqlStateOf(error))) throw error;
      await pause(lockTimeoutMs);
    }
  }
}

/** Lock timeout, and deadlock with a process of the version before. */
const TRY_AGAIN: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

async function answersTrue(session: Session, text: string): Promise<boolean> {
  const [row] = await session.query({ text });
  return row?.[0] === 't';
}
