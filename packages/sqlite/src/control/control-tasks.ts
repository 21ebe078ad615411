import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import { type Control, MAX_PARK_COUNT } from '@redrive/durable/store';
import { query } from '../database/statement.ts';

export type ControlRow = readonly [
  kind: Control['kind'],
  key: string,
  revision: number,
  document: string,
];
export type ParkRow = readonly [cause: string, count: number];

/** The control documents, in the form that is sent between threads. */
export interface FoundControls {
  readonly nowMs: number;
  readonly revision: number;
  readonly rows: readonly ControlRow[];
}

/** The tasks of the reading thread about control documents. */
export function controlTasks(open: () => DatabaseSync) {
  return {
    controls: ({ nowMs = systemClock.now() }: { nowMs?: number | undefined }) =>
      controlsOf(open(), nowMs),
    parks: () => parksOf(open()),
  };
}

/** Read in one snapshot: with a revision newer than the documents, the caller would think that they are up to date. */
function controlsOf(db: DatabaseSync, nowMs: number): FoundControls {
  db.exec('BEGIN');
  try {
    const [revision] = query<[number]>(db, 'SELECT revision FROM control_revision').get() ?? [0];
    const rows = query<[...ControlRow]>(
      db,
      'SELECT kind, key, revision, document FROM controls ORDER BY kind, key',
    ).all();
    return { nowMs, revision, rows };
  } finally {
    db.exec('COMMIT');
  }
}

/** Goes through the causes by index, and counts the jobs of each up to the limit. */
function parksOf(db: DatabaseSync): readonly ParkRow[] {
  return query<[...ParkRow]>(
    db,
    `WITH RECURSIVE causes (cause) AS (
       SELECT min(cause) FROM jobs INDEXED BY jobs_parked WHERE cause IS NOT NULL
       UNION ALL
       SELECT (SELECT min(cause) FROM jobs INDEXED BY jobs_parked WHERE cause > causes.cause)
       FROM causes WHERE causes.cause IS NOT NULL
     )
     SELECT cause, (SELECT count(*) FROM (
       SELECT 1 FROM jobs INDEXED BY jobs_parked WHERE cause = causes.cause LIMIT ${MAX_PARK_COUNT + 1}))
     FROM causes WHERE cause IS NOT NULL`,
  ).all();
}
