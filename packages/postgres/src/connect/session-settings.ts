import type { Session } from './connection.ts';

/**
 * The settings of every connection of the store. They override those of the database, the role and the pool.
 *
 * - Time limits on the server too: a statement, and an open transaction, must end when their process is gone.
 * - Read committed, because each statement of a step must see the rows that the previous one has waited for.
 * - A search path that leads to the built-in functions and operators, not to others of the same name.
 */
const COMMON: Readonly<Record<string, string>> = {
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  search_path: 'pg_catalog',
  bytea_output: 'hex',
  array_nulls: 'on',
  jit: 'off',
};

export async function applySettings(session: Session, timeoutMs: number): Promise<void> {
  const limits = {
    statement_timeout: String(timeoutMs),
    lock_timeout: String(Math.ceil(timeoutMs / 2)),
    idle_in_transaction_session_timeout: String(timeoutMs),
  };
  const settings = Object.entries({ ...COMMON, ...limits });
  const calls = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
  // If the database or the role has it off, a crash of the server could lose an acknowledged commit.
  const durable =
    "case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end";
  await session.query({
    text: `select ${[...calls, durable].join(', ')}`,
    values: settings.flat(),
  });
}

/**
 * The name of a setting in which a function keeps something for the next call in the same server session. It holds only
 * facts that are true for every client of the session, because a pooler may give the session to another one; and the
 * schema is part of the name, because that client's store may be another one.
 */
export function sessionSetting(name: string, quotedSchema: string): string {
  return `redrive.${name}_${quotedSchema.replaceAll('"', '')}`;
}
