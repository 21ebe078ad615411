import type { DatabaseSync } from 'node:sqlite';
import type { ActSubject } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { readableLife, rowProblem } from '../job/job-row.ts';
import { stateOf } from '../job/states.ts';

type SubjectRow = [
  id: string,
  state: number,
  uniqueKey: string | null,
  keyHolder: string | null,
  spec: string | null,
  life: string | null,
  attempts: string | null,
  lease: string | null,
];

/**
 * The data that acts on these jobs are decided by, in one snapshot. A finished job's unique key stands in its `spec`
 * alone.
 */
export function readActSubjects(db: DatabaseSync, ids: readonly string[]): ActSubject[] {
  return query<SubjectRow>(
    db,
    `SELECT j.id, j.state, j.key, h.id, j.spec, j.life, j.attempts, j.lease FROM (
       SELECT *, iif(json_valid(spec), spec, NULL) ->> '$.uniqueKey' AS key FROM jobs
       WHERE id IN (SELECT value FROM json_each(?))
     ) j LEFT JOIN jobs h ON h.unique_key = j.key`,
  )
    .all(JSON.stringify(ids))
    .map(subjectOf);
}

function subjectOf(row: SubjectRow): ActSubject {
  const [id, state, uniqueKey, keyHolder, spec, life, attempts, lease] = row;
  const { account, purgedFrom } = readableLife(life);
  return {
    id,
    state: stateOf(state),
    generation: account.generation,
    // Only these three can be purged.
    purgedFrom: purgedFrom as ActSubject['purgedFrom'],
    uniqueKey: uniqueKey ?? undefined,
    keyHolder: keyHolder ?? undefined,
    unreadable: rowProblem({ spec, life, attempts, lease }) === undefined ? undefined : true,
  };
}
