import type { DatabaseSync } from 'node:sqlite';
import type { Pulse } from '@redrive/durable/store';
import { UNSEALED } from '../audit/sealer.ts';
import { BATCH_ENDS } from '../batch/batches.ts';
import { type Query, query } from '../database/statement.ts';

const NOTHING = [0, null, null, null, null, 0, 0, 0, null, null] as const;

/**
 * Whether there is work: reads the first entry of some indexes, in one statement. Finds ready jobs by their flows:
 * the index of ready jobs begins with the priority, so that the jobs of other handlers would be read too.
 */
export class PulseQuery {
  readonly #pulse: Query<
    [
      ready: number,
      dueAt: number | null,
      releaseAt: number | null,
      expiresAt: number | null,
      leaseUntil: number | null,
      unsealed: number,
      controlRevision: number,
      batchEnds: number,
      anchor: number | null,
      sealedAt: number | null,
    ]
  >;

  constructor(db: DatabaseSync) {
    const first = (column: string): string =>
      `(SELECT ${column} FROM jobs WHERE ${column} IS NOT NULL ORDER BY ${column} LIMIT 1)`;
    this.#pulse = query(
      db,
      `SELECT EXISTS (
           SELECT 1 FROM json_each(?) h CROSS JOIN lanes l ON l.handler = h.value
           WHERE EXISTS (SELECT 1 FROM flows f CROSS JOIN jobs j
               ON j.priority = f.priority AND j.tenant = f.tenant AND j.ready_lane = f.lane
               WHERE f.lane = l.lane)
             OR EXISTS (SELECT 1 FROM held_keys k WHERE k.handler = h.value)
             OR EXISTS (SELECT 1 FROM rates r WHERE r.holds AND coalesce(r.handler, h.value) = h.value)
         ), ${['due_at', 'release_at', 'expires_at', 'lease_until'].map(first).join(', ')},
         ${UNSEALED}, (SELECT revision FROM control_revision), ${BATCH_ENDS}, a.seq, a.at
       FROM (SELECT 1) LEFT JOIN (SELECT seq, at FROM audit_anchors ORDER BY seq DESC LIMIT 1) a`,
    );
  }

  pulse(handlers: readonly string[], nowMs: number): Pulse {
    const row = this.#pulse.get(JSON.stringify(handlers));
    const [ready, dueAt, releaseAt, expiresAt, leaseUntil, unsealed, controlRevision, ...rest] =
      row ?? NOTHING;
    const [batchEnds, seq, atMs] = rest;
    const nextMs = Math.min(dueAt ?? Infinity, releaseAt ?? Infinity, expiresAt ?? Infinity);
    return {
      ready: ready !== 0,
      nextDueInMs: nextMs === Infinity ? undefined : Math.max(0, nextMs - nowMs),
      expiredLeases: (leaseUntil ?? Infinity) <= nowMs,
      ...(batchEnds !== 0 && { batchEnds: true }),
      unsealed: unsealed !== 0,
      anchor: seq === null || atMs === null ? undefined : { seq, atMs },
      controlRevision,
      nowMs,
    };
  }
}
