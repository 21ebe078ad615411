import type { Session } from './connection.ts';

/**
 * What every connection of the store sets for itself, whatever the database, the role or the pool say.
 *
 * - A limit on the server's side too, so that a statement whose caller is gone does not go on, and one for transactions
 *   whose caller has gone away in the middle.
 * - Read committed, because each statement of a step must see what the one before has waited for.
 * - Built-in functions and operators are the built-in ones.
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
  // A database or a role may have it off: then an acknowledged commit could be lost in a crash of the server.
  const durable =
    "case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end";
  await session.query({
    text: `select ${[...calls, durable].join(', ')}`,
    values: settings.flat(),
  });
}
