import type { FullStore, Job, JobSummary } from '@redrive/durable';
import { formatDuration } from '../terminal/duration.ts';
import { isoTime } from '../terminal/times.ts';
import type { Finding } from './findings.ts';

/** Clocks of machines differ a little, and one that is corrected goes back a little. */
const SLACK_MS = 60_000;
/** Jobs that are looked at one by one. */
const MOST_LOOKED_AT = 10_000;
/** Ids of one command line. */
const IDS_PER_COMMAND = 50;
const PAGE = 1_000;

/**
 * Jobs that wait for a time which a wrong clock has made: their last attempt, or their submission, is in the future of
 * the store's clock, so the clock was ahead then and has been set back since. Their wait began there, too. A job that is
 * due far ahead because somebody said so has a past that lies in the past, and is left alone.
 */
export async function findFutureDue(
  store: Pick<FullStore, 'jobs' | 'job' | 'counts'>,
): Promise<readonly Finding[]> {
  const { nowMs } = await store.counts();
  const late: { readonly id: string; readonly aheadMs: number; readonly dueAtMs: number }[] = [];
  for await (const summary of waiting(store, nowMs)) {
    const job = await store.job(summary.id);
    const fromMs = job === undefined ? 0 : waitsFromMs(job);
    if (fromMs > nowMs + SLACK_MS) {
      late.push({ id: summary.id, aheadMs: fromMs - nowMs, dueAtMs: summary.dueAtMs ?? 0 });
    }
  }
  const findings: Finding[] = [];
  for (let from = 0; from < late.length; from += IDS_PER_COMMAND) {
    const part = late.slice(from, from + IDS_PER_COMMAND);
    const ahead = formatDuration(Math.max(...part.map(({ aheadMs }) => aheadMs)));
    const last = isoTime(Math.max(...part.map(({ dueAtMs }) => dueAtMs)));
    const jobs = part.map(({ id }) => id);
    findings.push({
      check: 'future_due',
      level: 'problem',
      message: `${count(part.length)} with a due time from a clock that was up to ${ahead} ahead would wait until ${last}.`,
      remedy: `redrive jobs retry ${jobs.join(' ')} --reason "the clock was ahead"`,
      jobs,
    });
  }
  return findings;
}

/** When its wait began. */
function waitsFromMs({ attempts, submittedAtMs }: Job): number {
  const last = attempts.kept.at(-1);
  return last === undefined ? submittedAtMs : last.startedAtMs + last.durationMs;
}

/** Jobs whose time is still to come, as many as are looked at. */
async function* waiting(store: Pick<FullStore, 'jobs'>, nowMs: number): AsyncGenerator<JobSummary> {
  let looked = 0;
  let after: string | undefined;
  do {
    const page = await store.jobs({ states: ['scheduled', 'parked'] }, { limit: PAGE, after });
    for (const job of page.jobs) {
      if ((job.dueAtMs ?? 0) <= nowMs + SLACK_MS) continue;
      looked += 1;
      yield job;
    }
    after = page.next;
  } while (after !== undefined && looked < MOST_LOOKED_AT);
}

function count(jobs: number): string {
  return jobs === 1 ? '1 job' : `${jobs.toLocaleString('en')} jobs`;
}
