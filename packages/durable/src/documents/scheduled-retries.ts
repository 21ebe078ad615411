import type { FullStore } from '../store/full-store.ts';
import { MAX_FAILING_SCAN } from '../store/store.ts';
import { isoTime } from './times.ts';

const BUCKET_MS = 900_000;
const BUCKETS = 96;

/** Retries by the quarter of an hour in which they are due, for the next 24 hours. */
export type ScheduledRetries = Awaited<ReturnType<typeof scheduledRetries>>;

/** Reads at most 10,000 jobs, whatever the size of the store. @throws RedriveError `store_unavailable`. */
export async function scheduledRetries(
  store: FullStore,
  { tenant }: { readonly tenant?: string | undefined } = {},
) {
  const [{ nowMs }, { jobs, bounded }] = await Promise.all([
    store.controls(),
    store.failing({ atMost: MAX_FAILING_SCAN, states: ['scheduled'] }),
  ]);
  const fromMs = Math.floor(nowMs / BUCKET_MS) * BUCKET_MS;
  const buckets = new Array<number>(BUCKETS).fill(0);
  let overdue = 0;
  let later = 0;
  let lastMs = 0;
  for (const { dueAtMs = 0, ...job } of jobs) {
    lastMs = Math.max(lastMs, dueAtMs);
    if (tenant !== undefined && job.tenant !== tenant) continue;
    const at = Math.floor((dueAtMs - fromMs) / BUCKET_MS);
    if (dueAtMs < nowMs) overdue += 1;
    else if (at >= BUCKETS) later += 1;
    else buckets[at] = (buckets[at] ?? 0) + 1;
  }
  return {
    now: isoTime(nowMs),
    /** The start of the first bucket. */
    from: isoTime(fromMs),
    bucket_ms: BUCKET_MS,
    buckets,
    /** Due already: they wait for a worker. */
    overdue,
    /** Due after the last bucket. */
    later,
    bounded,
    /** The first 10,000 scheduled jobs were read, and there are more: nothing is known after this time. `null`: all. */
    counted_until: bounded && lastMs > 0 ? isoTime(lastMs) : null,
  };
}
