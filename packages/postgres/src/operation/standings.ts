import type { JobState } from '@redrive/durable';
import { checkLimit, type JobStanding } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Row } from '../connect/connection.ts';
import { readAccount } from '../job/account-text.ts';
import type { Reader } from '../query/reader.ts';

/** How jobs stand, of those that are there. */
export async function standings(reader: Reader, ids: readonly string[]): Promise<JobStanding[]> {
  if (ids.length === 0) return [];
  checkLimit('ids', ids.length);
  const from = (table: 'jobs' | 'finished', cause: string): string =>
    `select i.id, j.state, j.generation, j.failed, j.account, ${cause}
     from ${reader.schema}.ids i join ${reader.schema}.${table} j using (seq) where i.id = any($1::text[])`;
  const rows = await reader.rows({
    name: 'redrive standings',
    // One statement, one snapshot: a job that finishes meanwhile is in exactly one of them.
    text: `${from('jobs', 'j.cause')} union all ${from('finished', 'null::text')}`,
    values: [textArray(ids)],
  });
  return rows.map(readStanding);
}

function readStanding([id, state, generation, failed, text, cause]: Row): JobStanding {
  const { entries } = readAccount({
    generation: Number(generation),
    claims: 0,
    executions: 0,
    failed: Number(failed),
    leaseLost: 0,
    text: text ?? null,
  });
  return {
    id: id ?? '',
    generation: Number(generation),
    // `held` is a physical variant of `ready`.
    state: state === 'held' ? 'ready' : (state as JobState),
    failed: entries.failed + entries.rate_limited,
    cause: cause ?? undefined,
  };
}
