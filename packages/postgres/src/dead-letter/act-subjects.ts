import { type ActSubject, checkLimit } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Row } from '../connect/connection.ts';
import { stateOf } from '../job/read-job.ts';
import type { Reader } from '../query/reader.ts';

/** The columns that decide whether acts on these jobs are legal, from one snapshot and without a lock. */
export async function actSubjects(
  reader: Pick<Reader, 'schema' | 'rows'>,
  ids: readonly string[],
): Promise<ActSubject[]> {
  if (ids.length === 0) return [];
  checkLimit('ids', ids.length);
  const { schema: s } = reader;
  const from = (table: 'jobs' | 'finished', purgedFrom: string): string =>
    `select i.id, j.state::text, j.generation::text, ${purgedFrom}, j.unique_key, h.id
     from ${s}.ids i join ${s}.${table} j using (seq) left join ${s}.jobs h on h.unique_key = j.unique_key
     where i.id = any($1::text[])`;
  const rows = await reader.rows({
    name: 'redrive act_subjects',
    text: `${from('jobs', 'null')} union all ${from('finished', 'j.purged_from::text')}`,
    values: [textArray(ids)],
  });
  return rows.map(subjectOf);
}

function subjectOf([id, state, generation, purgedFrom, uniqueKey, keyHolder]: Row): ActSubject {
  return {
    id: id ?? '',
    state: stateOf(state),
    generation: Number(generation),
    // Only jobs in these three states can be purged; the type of the column has all states.
    purgedFrom: (purgedFrom ?? undefined) as ActSubject['purgedFrom'],
    uniqueKey: uniqueKey ?? undefined,
    keyHolder: keyHolder ?? undefined,
  };
}
