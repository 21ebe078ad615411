import type { DatabaseSync } from 'node:sqlite';
import type { ReleaseResult } from '@redrive/durable/store';
import type { EncodedRelease } from '../command/encoded.ts';
import { type Query, query } from '../database/statement.ts';
import type { JobChanges } from '../writer/job-changes.ts';
import type { Step } from '../writer/step.ts';

/** Lets go of jobs that are parked under one cause. */
export class ParkedJobs {
  readonly #first: Query<[id: string]>;
  readonly #changes: JobChanges;

  constructor(db: DatabaseSync, changes: JobChanges) {
    this.#changes = changes;
    this.#first = query(
      db,
      `SELECT id FROM jobs INDEXED BY jobs_parked WHERE cause = ?
       ORDER BY priority DESC, release_at, id LIMIT ?`,
    );
  }

  release(step: Step, [, cause, limit, detail]: EncodedRelease): ReleaseResult {
    // One more than asked for tells whether there are more.
    const found = this.#first.all(cause, limit + 1);
    const released = found.slice(0, limit);
    for (const [id] of released) {
      const event = { kind: 'unpark', byHand: true } as const;
      this.#changes.happen(step, id, event, { event: 'unpark', detail });
    }
    return { ok: true, released: released.length, more: found.length > limit };
  }
}
