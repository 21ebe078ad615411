import type { JobState } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';
import { killKeysOf } from './kill-target.ts';
import { stoppedBy } from './stopped-by.ts';
import { documentsIn } from './update-control.ts';

/** Unfinished jobs that a kill switch or a pause stops. */
export interface StoppedJobs {
  readonly handler: string;
  readonly queue: string;
  readonly count: number;
  /** In words: `a pause of queue:default, by cli:eve: INC-7`. */
  readonly stoppedBy: string;
}

const UNFINISHED: readonly JobState[] = ['ready', 'scheduled', 'parked', 'leased'];
const PAGE = 1_000;

/**
 * The unfinished jobs of these queues (`undefined`: of all), if kill switches and pauses stop every one of them.
 * `undefined`: some job can still run, or none is left. Reads jobs until it finds one that can run.
 *
 * @throws RedriveError `store_unavailable`.
 */
export async function onlyStoppedJobs(
  store: Pick<FullStore, 'controls' | 'counts' | 'jobs'>,
  queues: readonly string[] | undefined,
): Promise<readonly StoppedJobs[] | undefined> {
  const controls = await store.controls();
  const kills = documentsIn(controls, 'kill');
  if (kills.size === 0) return undefined;
  const groups = new Map<string, StoppedJobs>();
  let total = 0;
  let after: string | undefined;
  do {
    const page = await store.jobs({ states: UNFINISHED }, { limit: PAGE, after });
    for (const job of page.jobs) {
      if (queues !== undefined && !queues.includes(job.queue)) continue;
      const { handler, queue, state } = job;
      const key = killKeysOf(job).find((one) => kills.has(one));
      // A leased job ends soon, and may enqueue others.
      if (key === undefined || state === 'leased') return undefined;
      total += 1;
      const name = JSON.stringify([handler, queue, key]);
      const count = (groups.get(name)?.count ?? 0) + 1;
      groups.set(name, { handler, queue, count, stoppedBy: stoppedBy(controls, job, '') ?? key });
    }
    after = page.next;
  } while (after !== undefined);
  if (total === 0) return undefined;
  // A job that was enqueued or changed while the pages were read may be in none of them.
  const { groups: counts } = await store.counts();
  const open = counts.filter(
    ({ queue, state }) =>
      UNFINISHED.includes(state) && (queues === undefined || queues.includes(queue)),
  );
  const now = open.reduce((sum, { count }) => sum + count, 0);
  return now === total ? [...groups.values()] : undefined;
}
