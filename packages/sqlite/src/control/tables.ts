/**
 * Control documents, and the one number that is incremented with each change of them. Parked jobs are found by
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
  INSERT INTO control_revision (one, revision) VALUES (1, 0);

  CREATE INDEX jobs_parked ON jobs (cause, priority DESC, release_at, id)
    WHERE cause IS NOT NULL;
`;

/** A pause is a kill switch with a key of its own. */
export const PAUSES_AS_DOCUMENTS = `
  INSERT INTO controls (kind, key, revision, document)
    SELECT 'kill', 'pause:' || replace(scope, 'handler', 'operation') || ':' || name,
      (SELECT revision FROM control_revision) + row_number() OVER (ORDER BY since, scope, name),
      json_patch(json_object('mode', 'finish', 'sinceMs', since, 'by', paused_by), json_object('why', why))
    FROM pauses;
  UPDATE control_revision SET revision = revision + (SELECT count(*) FROM pauses);
  DROP TABLE pauses;
`;
