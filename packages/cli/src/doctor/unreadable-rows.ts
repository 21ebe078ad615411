import type { FullStore, UnreadableJob } from '@redrive/durable/store';
import type { Finding } from './finding.ts';

export interface LookedThrough {
  readonly findings: readonly Finding[];
  /** Rows that were looked at. */
  readonly looked: number;
  /** Ids of rows that are set aside and can be read. */
  readonly mended: readonly string[];
}

/** Looks through all jobs for rows that cannot be read. */
export async function findUnreadable(
  store: Pick<FullStore, 'unreadableJobs'>,
): Promise<LookedThrough> {
  const found: UnreadableJob[] = [];
  let looked = 0;
  let after: string | undefined;
  do {
    const page = await store.unreadableJobs(after);
    found.push(...page.jobs);
    looked += page.looked;
    after = page.next;
  } while (after !== undefined);
  const mended = found.filter(({ problem }) => problem === undefined).map(({ id }) => id);
  const findings = found.flatMap(({ id, problem, isSetAside }): Finding[] => {
    if (problem === undefined) return [];
    const where = isSetAside ? 'it is set aside' : 'a worker that would claim it sets it aside';
    return [
      {
        check: 'unreadable_row',
        level: 'problem',
        message: `The row of job ${id} cannot be read (${problem}); ${where}, and the other jobs run as usual.`,
        remedy: `Restore that column of the row from a backup, then run: redrive doctor --put-back`,
        jobs: [id],
      },
    ];
  });
  return { findings, looked, mended };
}

/** Rows that were mended and are still set aside. */
export function setAsideFinding(ids: readonly string[]): readonly Finding[] {
  if (ids.length === 0) return [];
  const rows = ids.length === 1 ? '1 row was' : `${ids.length} rows were`;
  return [
    {
      check: 'set_aside',
      level: 'problem',
      message: `${rows} set aside and can be read again: ${ids.slice(0, 10).join(', ')}`,
      remedy: 'redrive doctor --put-back',
      jobs: ids,
    },
  ];
}
