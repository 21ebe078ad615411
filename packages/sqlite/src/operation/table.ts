/** Acts on many. Kept long after their end: their ids say what was done once. */
export const OPERATIONS = `
  CREATE TABLE operations (
    id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    cursor TEXT,
    acted INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    begun_by TEXT NOT NULL,
    why TEXT,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
