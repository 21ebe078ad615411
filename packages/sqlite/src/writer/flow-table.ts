/**
 * Flows, from the ready jobs that a file has (see `Flows`). An earlier version does not write the flows of its new jobs,
 * so that nobody would find them: it no longer works with the file.
 */
export const FLOWS = `
  CREATE TABLE flows (
    lane INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    -- Place of the first job, or an earlier one.
    first_at INTEGER NOT NULL,
    first_id TEXT NOT NULL,
    PRIMARY KEY (lane, priority, tenant)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO flows (lane, priority, tenant, first_at, first_id)
    SELECT ready_lane, priority, tenant, min(submitted_at), '' FROM jobs
    WHERE ready_lane IS NOT NULL GROUP BY ready_lane, priority, tenant;
  CREATE INDEX flows_line ON flows (priority DESC, tenant, first_at, first_id);

  CREATE TRIGGER jobs_flow AFTER UPDATE OF ready_lane ON jobs WHEN NEW.ready_lane IS NOT NULL BEGIN
    INSERT INTO flows (lane, priority, tenant, first_at, first_id)
      VALUES (NEW.ready_lane, NEW.priority, NEW.tenant, NEW.submitted_at, NEW.id)
      ON CONFLICT DO UPDATE SET first_at = excluded.first_at, first_id = excluded.first_id
        WHERE (excluded.first_at, excluded.first_id) < (first_at, first_id);
  END;
`;

/** Ready jobs in the order of the line, so that a claim of many tenants changes few pages of the index. */
export const READY_IN_LINE = `
  DROP INDEX jobs_ready;
  CREATE INDEX jobs_ready ON jobs (priority DESC, tenant, ready_lane, submitted_at, id)
    WHERE ready_lane IS NOT NULL;
`;

/** The changes of a flow when another job is added to it. */
export const ADDED_AGAIN = `ON CONFLICT DO UPDATE SET late_from = NULL,
      first_at = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_at, first_at),
      first_id = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_id, first_id)
    WHERE (excluded.first_at, excluded.first_id) < (first_at, first_id) OR late_from IS NOT NULL`;

/** Since when all jobs of a flow are past their deadline, so that claims skip it. */
export const LATE_FLOWS = `
  ALTER TABLE flows ADD COLUMN late_from INTEGER;
  DROP TRIGGER jobs_flow;
  CREATE TRIGGER jobs_flow AFTER UPDATE OF ready_lane ON jobs WHEN NEW.ready_lane IS NOT NULL BEGIN
    INSERT INTO flows (lane, priority, tenant, first_at, first_id)
    VALUES (NEW.ready_lane, NEW.priority, NEW.tenant, NEW.submitted_at, NEW.id)
    ${ADDED_AGAIN};
  END;
`;
