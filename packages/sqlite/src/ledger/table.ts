/** Idempotency keys. The token is the number of the row, which no later row gets again: so tokens of a key only rise. */
export const LEDGER = `
  CREATE TABLE ledger (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    -- 0: in progress. 1: done. 2: failed.
    state INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    -- From then on it is as if it were not there. Absent: never.
    gone_at INTEGER,
    -- JSON of the result or the failure. Absent: nothing was given.
    value TEXT,
    -- JSON of what was given with a result. Absent: nothing.
    metadata TEXT
  ) STRICT;
  CREATE INDEX ledger_gone ON ledger (gone_at) WHERE gone_at IS NOT NULL;
`;
