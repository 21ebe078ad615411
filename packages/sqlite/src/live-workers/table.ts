/** Workers that are alive, or were seen in the last day. */
export const WORKERS = `
  CREATE TABLE workers (
    name TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    running INTEGER NOT NULL,
    stopping INTEGER NOT NULL,
    -- JSON of what never changes: last, because a report then leaves its pages as they are.
    facts TEXT NOT NULL
  ) STRICT;
`;
