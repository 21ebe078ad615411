import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import { type Control, MAX_CONTROLS, MAX_PARK_COUNT, rateOfName } from '@redrive/durable/store';
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
    rates: () => ratesOf(open()),
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

export type RateRow = readonly [name: string, value: string, since: number, count: number];

/** Jobs that are out of the index by their key; where a rate closes lanes, all their ready jobs wait. */
function ratesOf(db: DatabaseSync): readonly RateRow[] {
  const held = query<[number]>(
    db,
    `SELECT count(*) FROM (SELECT 1 FROM jobs WHERE held_key = ? LIMIT ${MAX_PARK_COUNT + 1})`,
  );
  const ready = query<[number | null]>(
    db,
    `SELECT sum(ready) FROM lanes WHERE (?1 IS NULL OR handler = ?1) AND (?2 IS NULL OR queue = ?2)`,
  );
  const rows = query<[key: string, name: string, since: number]>(
    db,
    `SELECT key, name, since FROM rates WHERE since IS NOT NULL ORDER BY key LIMIT ${MAX_CONTROLS}`,
  ).all();
  return rows.flatMap(([key, name, since]) => {
    const rate = rateOfName(name);
    const value = key.slice(name.length + 1);
    if (rate === undefined) return [];
    const handler = rate.by === 'handler' ? value : rate.handler;
    const ofLane = rate.by === 'all' || rate.by === 'handler';
    const [count] = (ofLane ? ready.get(handler ?? null, rate.queue ?? null) : held.get(key)) ?? [
      0,
    ];
    return count ? [[name, value, since, count] as const] : [];
  });
}
