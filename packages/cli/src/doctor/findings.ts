import { commandText } from '@redrive/core/fields';
import type { FullStore, Job, JobSummary } from '@redrive/durable';
import { counted, type UnreadableJob } from '@redrive/durable/store';
import { withReader } from '../store/with-audit.ts';
import { formatDuration, isoTime } from '../terminal/times.ts';
import { type Finding, warning } from './check.ts';

interface LookedThrough {
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
        message: `The row of job ${id} cannot be read (${problem}); ${where}, and the other jobs run as before.`,
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

/** A running worker seals about once a second. */
const LAG_MS = 60_000;

/** An audit log that nobody seals: records that are not sealed can be changed by anybody who can change hashes too. */
export async function findUnsealed(
  store: Pick<FullStore, 'pulse' | 'readAudit'>,
): Promise<readonly Finding[]> {
  const { unsealed, nowMs } = await store.pulse([]);
  if (!unsealed) return [];
  return withReader(store, async (reader) => {
    const head = await reader.head();
    const [first] = await reader.blocks(head?.to ?? '', 1);
    const lagMs = first === undefined ? 0 : nowMs - first.atMs;
    if (lagMs < LAG_MS) return [];
    return [
      {
        check: 'unsealed',
        level: 'warning',
        message: `The audit log has records that have not been sealed for ${formatDuration(lagMs)}.`,
        remedy: 'redrive start: a running worker seals about once a second',
        jobs: [],
      },
    ];
  });
}

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
      message: `${counted(part.length, 'job')} with a due time from a clock that was up to ${ahead} ahead would wait until ${last}.`,
      remedy: commandText`redrive jobs retry --reason ${'the clock was ahead'} ${jobs}`,
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

/** Each different policy is kept for as long as the store, because records name it. */
const MANY_POLICIES = 10_000;

/** Jobs with policies of their own have left more different ones than a store should have. */
export async function findManyPolicies(
  store: Pick<FullStore, 'countPolicies'>,
): Promise<readonly Finding[]> {
  if ((await store.countPolicies(MANY_POLICIES + 1)) <= MANY_POLICIES) return [];
  const message = `The store has more than ${MANY_POLICIES} different policies. Each one is kept, because the audit log names it.`;
  const remedy =
    'Enqueue jobs with few different values of maxAttempts and policy: name policies of redrive.yaml, and round delays.';
  return [warning('policies', message, remedy)];
}
