import type { DatabaseSync } from 'node:sqlite';
import type { UnreadableJob, UnreadablePage } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { rowProblem } from '../job/job-row.ts';
import { IS_SET_ASIDE } from '../writer/set-aside.ts';

const PAGE = 2_000;

type Looked = [
  n: number,
  id: string,
  spec: string | null,
  life: string | null,
  attempts: string | null,
  lease: string | null,
  isSetAside: number,
];

const LOOK = `SELECT n, id, spec, life, attempts, lease, ${IS_SET_ASIDE} FROM jobs j`;

export function unreadableJob(db: DatabaseSync, id: string): UnreadableJob | undefined {
  return query<Looked>(db, `${LOOK} WHERE id = ?`).all(id).flatMap(found)[0];
}

function found([, id, spec, life, attempts, lease, isSetAside]: Looked): UnreadableJob[] {
  const problem = rowProblem({ spec, life, attempts, lease });
  if (problem === undefined && isSetAside === 0) return [];
  return [{ id, problem, isSetAside: isSetAside !== 0 }];
}

/** Reads one page of all jobs, in the order of their numbers, and returns those that are unreadable or set aside. */
export function unreadableJobs(db: DatabaseSync, after?: string): UnreadablePage {
  const rows = query<Looked>(db, `${LOOK} WHERE n > ? ORDER BY n LIMIT ?`).all(
    after === undefined ? -1 : Number(after),
    PAGE,
  );
  const jobs = rows.flatMap(found);
  const last = rows.length === PAGE ? rows.at(-1)?.[0] : undefined;
  return { jobs, looked: rows.length, next: last === undefined ? undefined : String(last) };
}
