import type { AuditEvent } from './audit-block.ts';
import type { AuditProblems } from './audit-problem.ts';
import type { AuditReader, JobLookup } from './audit-reader.ts';
import {
  follow,
  type JobTrail,
  newTrail,
  nextRevision,
  resume,
  type TrailRecord,
} from './job-trail.ts';
import { isNote } from './read-body.ts';
import { rowDifferences } from './row-facts.ts';

const PAGE = 1_000;

/**
 * The most records of one job that may come before one that they follow: transactions commit out of the order of their
 * ids.
 */
const MAX_WAITING = 64;

/** A part of all jobs, by a hash of their ids. */
export interface JobRange {
  /** Included. */
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export const ALL_JOBS: JobRange = { from: 0, to: 2 ** 32 };

/** Follows every job of a range through the log. */
export class JobTrails {
  readonly #range: JobRange;
  readonly #maxJobs: number;
  readonly #problems: AuditProblems;
  readonly #trails = new Map<string, JobTrail>();
  /** Records that came before one that they follow. Nearly always empty. */
  readonly #waiting = new Map<string, TrailRecord[]>();

  constructor(range: JobRange, maxJobs: number, problems: AuditProblems) {
    this.#range = range;
    this.#maxJobs = maxJobs;
    this.#problems = problems;
  }

  /** Whether there are more jobs than `maxJobs`. Its results are not valid then. */
  get overflowed(): boolean {
    return this.#trails.size > this.#maxJobs;
  }

  /** Takes any record. It ignores jobs outside its range, and notes that do not concern a job's row. */
  take(entry: TrailRecord): void {
    const { id, event } = entry.record;
    if (this.overflowed || !isIn(this.#range, id)) return;
    if (isNote(event)) {
      this.#takeNote(id, event);
      return;
    }
    const trail = this.#trailOf(id);
    const waiting = this.#waiting.get(id);
    if (entry.record.revision === nextRevision(trail)) {
      follow(trail, entry, this.#problems);
      if (waiting !== undefined) this.#catchUp(id, trail, waiting);
    } else if (waiting === undefined) {
      this.#waiting.set(id, [entry]);
    } else if (waiting.push(entry) > MAX_WAITING) {
      this.#skipGap(id, trail, waiting);
    }
  }

  #takeNote(id: string, event: AuditEvent): void {
    const trail = this.#trails.get(id);
    if (trail === undefined) return;
    if (event === 'set_aside') trail.isSetAside = true;
    if (event === 'put_back') trail.isSetAside = false;
  }

  /** All records are read: a record that still waits has a gap before it, and every row must agree with its last record. */
  async end(reader: Pick<AuditReader, 'lookups'>): Promise<void> {
    for (const [id, waiting] of this.#waiting) {
      while (waiting.length > 0) this.#skipGap(id, this.#trailOf(id), waiting);
    }
    const left = new Set(this.#trails.keys());
    let page = await reader.lookups('', PAGE);
    while (page.length > 0) {
      for (const lookup of page) {
        if (isIn(this.#range, lookup.id)) this.#compare(lookup);
        left.delete(lookup.id);
      }
      page = await reader.lookups(page.at(-1)?.id ?? '', PAGE);
    }
    for (const id of left) {
      const trail = this.#trailOf(id);
      if (!trail.ended) this.#problems.add('lookup', placeOf(id, trail), rowOf(trail), 'no job');
    }
  }

  #compare(lookup: JobLookup): void {
    const { id, revision, token, auditBlock, state } = lookup;
    const trail = this.#trails.get(id);
    const found = { revision, token, auditBlock, state };
    if (trail === undefined || trail.ended) {
      this.#problems.add('lookup', { id, revision }, 'no job', found);
      return;
    }
    const same =
      revision === trail.revision &&
      token === trail.token &&
      auditBlock === trail.block &&
      // The promotion of a due job leaves no record.
      (state === trail.state || (trail.state === 'scheduled' && state === 'ready'));
    if (!same) this.#problems.add('lookup', placeOf(id, trail), rowOf(trail), found);
    else this.#compareRow(trail, lookup);
  }

  /** Compares the other columns of a row. A row with another revision or state is reported already. */
  #compareRow(trail: JobTrail, { id, row, unreadable, misplaced = [] }: JobLookup): void {
    const where = placeOf(id, trail);
    if (unreadable !== undefined) {
      this.#problems.add('row', where, 'a row that can be read', unreadable);
    }
    if (misplaced.length > 0 && !trail.isSetAside) {
      this.#problems.add('row', where, 'columns that follow from the others', misplaced.join(', '));
    }
    if (trail.facts === undefined || row === undefined) return;
    const { expected, found } = rowDifferences(trail.facts, trail, row);
    if (Object.keys(expected).length > 0) this.#problems.add('row', where, expected, found);
  }

  #trailOf(id: string): JobTrail {
    const known = this.#trails.get(id);
    if (known !== undefined) return known;
    const trail = newTrail();
    this.#trails.set(id, trail);
    return trail;
  }

  /** Follows the records that were waiting for the last one. */
  #catchUp(id: string, trail: JobTrail, waiting: TrailRecord[]): void {
    for (;;) {
      const next = nextRevision(trail);
      const index = waiting.findIndex(({ record }) => record.revision === next);
      const [entry] = index < 0 ? [] : waiting.splice(index, 1);
      if (entry === undefined) break;
      follow(trail, entry, this.#problems);
    }
    if (waiting.length === 0) this.#waiting.delete(id);
  }

  /** Reports a missing record, and goes on with the first one after it. */
  #skipGap(id: string, trail: JobTrail, waiting: TrailRecord[]): void {
    waiting.sort((a, b) => a.record.revision - b.record.revision);
    const next = nextRevision(trail);
    const [first] = waiting;
    if (first === undefined) return;
    const revision = first.record.revision;
    this.#problems.add('revision', { block: first.block, id, revision }, next, revision);
    // A record that is there twice, or of a deleted job: nothing can follow from it.
    if (revision < next || trail.ended) waiting.shift();
    else resume(trail, first.record);
    this.#catchUp(id, trail, waiting);
  }
}

function placeOf(id: string, { revision, block }: JobTrail) {
  return { block, id, revision };
}

function rowOf({ revision, token, block, state }: JobTrail): Omit<JobLookup, 'id'> {
  // A trail has a record, and so a state.
  return { revision, token, auditBlock: block, state: state as JobLookup['state'] };
}

/** Whether a job is in the range. */
export function isIn({ from, to }: JobRange, id: string): boolean {
  if (to - from === ALL_JOBS.to) return true;
  const hash = hashOf(id);
  return hash >= from && hash < to;
}

/** FNV-1a over the UTF-16 code units, 32 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
