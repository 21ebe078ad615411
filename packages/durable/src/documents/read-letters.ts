import type { DeadFilter } from '../dead-letter/dead-letter-store.ts';
import { type DeadLetterEnvelope, deadLetterOf } from '../dead-letter/envelope.ts';
import type { ShownValues } from '../dead-letter/redact.ts';
import type { Job } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';

/** Letters with their payloads that are in memory at once: few at first, then as many as their size allows. */
const FIRST_PAGE = 20;
const MAX_PAGE = 500;
const PAGE_BYTES = 8 * 1024 * 1024;

/** The newest death first, page by page. One that was requeued in the meantime is left out. */
export async function* readLetters(
  store: FullStore,
  filter: DeadFilter,
  limit: number,
  payload: ShownValues,
  onLetter: (count: number, diedAtMs: number) => void,
): AsyncGenerator<DeadLetterEnvelope> {
  let after: string | undefined;
  let size = FIRST_PAGE;
  let count = 0;
  do {
    const page = await store.deadLetters(filter, { limit: size, after });
    after = page.next;
    const ids = page.jobs.map(({ id }) => id);
    const jobs = new Map((await store.finished(ids)).map((job) => [job.id, job]));
    size = nextSize([...jobs.values()]);
    for (const id of ids) {
      const job = jobs.get(id);
      if (job?.state !== 'dead') continue;
      yield deadLetterOf(job, { payload });
      count += 1;
      onLetter(count, job.finishedAtMs ?? 0);
      if (count >= limit) return;
    }
  } while (after !== undefined);
}

/** The number of letters of this size that fit into `PAGE_BYTES`. */
function nextSize(jobs: readonly Job[]): number {
  if (jobs.length === 0) return FIRST_PAGE;
  const bytes = jobs.reduce((sum, { payload }) => sum + sizeOf(payload), 0);
  const most = Math.floor((PAGE_BYTES * jobs.length) / Math.max(1, bytes));
  return Math.max(1, Math.min(MAX_PAGE, most));
}

function sizeOf(payload: Job['payload']): number {
  return payload.kind === 'json' ? payload.text.length : payload.bytes.length;
}
