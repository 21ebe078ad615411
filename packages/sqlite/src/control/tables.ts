/**
 * Control documents, and the one number that rises with each change of them and of the pauses. Parked jobs are found by
 * their cause, in the order in which they are released; the cause of a job that is not parked is NULL.
 */
export const CONTROL_TABLES = `
  CREATE TABLE controls (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT;

  CREATE TABLE control_revision (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO control_revision (one, revision) SELECT 1, count(*) FROM pauses;

  CREATE INDEX jobs_parked ON jobs (cause, priority DESC, release_at, id)
    WHERE cause IS NOT NULL;
`;
