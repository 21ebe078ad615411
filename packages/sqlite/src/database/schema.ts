import { AUDIT_PACKS } from '../audit/compressor.ts';
import { AUDIT_ANCHORS } from '../audit/sealer.ts';
import { BATCHES } from '../batch/batches.ts';
import { CONTROL_TABLES } from '../control/controls.ts';
import { DEAD_LETTER_TABLES } from '../dead-letter/dead-letters.ts';
import { EVENT_DOCUMENTS } from '../event/event-documents.ts';
import { PAYLOADS } from '../job/payloads.ts';
import { LEDGER } from '../ledger/ledger-table.ts';
import { WORKERS } from '../live-workers/worker-table.ts';
import { OPERATIONS } from '../operation/operations.ts';
import { CLOCK_STEPS } from '../writer/clock-steps.ts';
import { FLOWS } from '../writer/flows.ts';
import { RATES } from '../writer/rates.ts';

/** Marks a file as a Redrive store: `RDRV` in the header of the database file. */
export const APPLICATION_ID = 0x52445256;

/** The schema as one version of the code has it. Tests plant another one. It crosses to the threads. */
export interface SchemaCode {
  readonly steps: readonly string[];
  /** Code that knows only lower schemas no longer works with the file after all steps. */
  readonly worksFrom: number;
}

/**
 * Every step from an empty file to the newest schema, in order; a file's `user_version` is the number of its steps. A step that has been released is never changed: add one, by the rules of
 * docs/decisions/0031-expand-migrate-contract.md; a test pins the hash of each.
 *
 * One row per job from its first day to its last. Moving a finished row to a table of its own cost half as much again as
 * the rest of a job's life (see docs/decisions/0013-a-fair-claim.md); instead every index but that of the ids is partial, on a
 * column that is NULL while the row does not belong in it, so that what is finished or not due costs the others nothing.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- A queue and a handler that have met, with how many jobs they have in each state.
  CREATE TABLE lanes (
    lane INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    handler TEXT NOT NULL,
    scheduled INTEGER NOT NULL DEFAULT 0,
    ready INTEGER NOT NULL DEFAULT 0,
    parked INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    purged INTEGER NOT NULL DEFAULT 0,
    UNIQUE (queue, handler)
  ) STRICT;

  CREATE TABLE jobs (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    lane INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    priority INTEGER NOT NULL,
    submitted_at INTEGER NOT NULL,
    -- Place in STATES.
    state INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    token INTEGER NOT NULL,
    audit_block INTEGER NOT NULL,
    -- The lane, while it is ready and nothing holds it back.
    ready_lane INTEGER,
    -- When it becomes ready, while scheduled.
    due_at INTEGER,
    -- When it becomes ready, while parked.
    release_at INTEGER,
    -- The deadline, while it waits for an attempt.
    expires_at INTEGER,
    lease_until INTEGER,
    -- JSON: worker, since, hash of the policy.
    lease TEXT,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    deadline_at INTEGER,
    -- Absent: when it was submitted.
    generation_at INTEGER,
    cause TEXT,
    -- Only while it is unfinished.
    unique_key TEXT,
    -- JSON: handler and limit key.
    limit_key TEXT,
    -- The limit key, while it is leased.
    leased_key TEXT,
    -- The limit key or the rate, while it is ready and held back by it.
    held_key TEXT,
    finished_at INTEGER,
    -- The state, while it is finished.
    finished_as INTEGER,
    -- JSON of what else was said at the enqueue. Absent: nothing.
    spec TEXT,
    -- JSON of what attempts leave behind. Absent: there was none.
    life TEXT,
    -- The payload. TEXT: JSON. BLOB: bytes. 0: it is in the table payloads.
    body ANY NOT NULL,
    -- JSON of the attempts that are kept.
    attempts TEXT,
    result TEXT,
    -- Number of its batch.
    batch INTEGER
  ) STRICT;

  -- In the order of the line, so that a claim of many tenants changes few pages of the index.
  CREATE INDEX jobs_ready ON jobs (priority DESC, tenant, ready_lane, submitted_at, id)
    WHERE ready_lane IS NOT NULL;
  CREATE INDEX jobs_due ON jobs (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX jobs_release ON jobs (release_at, id) WHERE release_at IS NOT NULL;
  CREATE INDEX jobs_expiry ON jobs (expires_at, id) WHERE expires_at IS NOT NULL;
  CREATE INDEX jobs_lease ON jobs (lease_until) WHERE lease_until IS NOT NULL;
  CREATE UNIQUE INDEX jobs_unique ON jobs (unique_key) WHERE unique_key IS NOT NULL;
  CREATE INDEX jobs_leased_key ON jobs (leased_key) WHERE leased_key IS NOT NULL;
  CREATE INDEX jobs_held_key ON jobs (held_key, lane, tenant, priority DESC, submitted_at, id)
    WHERE held_key IS NOT NULL;
  CREATE INDEX jobs_held_turn ON jobs (held_key, lane, priority DESC, tenant, submitted_at, id)
    WHERE held_key IS NOT NULL;
  CREATE INDEX jobs_finished ON jobs (finished_as, finished_at) WHERE finished_as IS NOT NULL;

  -- Limit keys with jobs that are held back, and how narrow the limit was that they met.
  CREATE TABLE held_keys (
    held_key TEXT PRIMARY KEY,
    handler TEXT NOT NULL,
    held_under INTEGER NOT NULL,
    -- The tenant whose turn was last.
    turn TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX held_keys_handler ON held_keys (handler, held_under);

  CREATE TABLE audit_blocks (
    seq INTEGER PRIMARY KEY,
    writer TEXT NOT NULL,
    at INTEGER NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE policies (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    -- JSON.
    policy TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  ${AUDIT_ANCHORS} ${AUDIT_PACKS} ${DEAD_LETTER_TABLES} ${OPERATIONS} ${LEDGER} ${CONTROL_TABLES} ${WORKERS} ${FLOWS}
  ${PAYLOADS} ${CLOCK_STEPS} ${EVENT_DOCUMENTS} ${BATCHES} ${RATES}
  `,
];

/** Lower versions refuse the file. A step that removes something raises it. */
const WORKS_FROM = 1;

export const CURRENT_SCHEMA: SchemaCode = { steps: MIGRATIONS, worksFrom: WORKS_FROM };

/** The schema version after all steps. */
export function newestOf({ steps }: SchemaCode): number {
  return steps.length;
}

export const NEWEST_SCHEMA = newestOf(CURRENT_SCHEMA);
