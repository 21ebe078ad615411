import type { FullStore } from '@redrive/durable';
import { isoTime, type JobFilter, MAX_FAILING_SCAN } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { fitsJob } from './job-filter.ts';

const BUCKET_MS = 900_000;
const BUCKETS = 96;

export const SCHEDULED_RETRIES = z.object({
  now: time().nullable().describe("the store's time"),
  from: time().nullable().describe('the start of the first quarter of an hour'),
  bucket_ms: z.number().describe('a quarter of an hour'),
  buckets: z.array(z.number()).describe('retries that are due in each of 96'),
  overdue: z.number().describe('due already: they wait for a worker'),
  later: z.number().describe('due after the last one'),
  bounded: z
    .boolean()
    .describe('true: the first 10,000 scheduled jobs were read, and there are more'),
  counted_until: time().nullable().describe('if bounded: nothing is known after this time'),
});

/** Reads at most 10,000 jobs, whatever the size of the store. */
export async function scheduledRetries(
  store: FullStore,
  filter: JobFilter,
): Promise<z.output<typeof SCHEDULED_RETRIES>> {
  const [{ nowMs }, { jobs, bounded }] = await Promise.all([
    store.controls(),
    store.failing({ atMost: MAX_FAILING_SCAN, states: ['scheduled'] }),
  ]);
  const fromMs = Math.floor(nowMs / BUCKET_MS) * BUCKET_MS;
  const buckets = new Array<number>(BUCKETS).fill(0);
  let overdue = 0;
  let later = 0;
  let lastMs = 0;
  for (const job of jobs) {
    const { dueAtMs = 0 } = job;
    lastMs = Math.max(lastMs, dueAtMs);
    if (!fitsJob(job, filter)) continue;
    const at = Math.floor((dueAtMs - fromMs) / BUCKET_MS);
    if (dueAtMs < nowMs) overdue += 1;
    else if (at >= BUCKETS) later += 1;
    else buckets[at] = (buckets[at] ?? 0) + 1;
  }
  return {
    now: isoTime(nowMs),
    from: isoTime(fromMs),
    bucket_ms: BUCKET_MS,
    ...{ buckets, overdue, later, bounded },
    counted_until: bounded && lastMs > 0 ? isoTime(lastMs) : null,
  };
}
