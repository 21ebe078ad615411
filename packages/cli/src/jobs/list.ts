import { systemClock } from '@redrive/core';
import { type JobState, type JobSummary, jobSummaryDocument, type Store } from '@redrive/durable';
import {
  type Counts,
  causeName,
  countStates,
  countText,
  FAILING_STATES,
  type FailingJob,
  isBounded,
  type JobFilter,
  type JobPage,
  MAX_FAILING_SCAN,
  MAX_JOB_SCAN,
  readOverview,
} from '@redrive/durable/store';
import type { Options, RunCommand } from '../command/command-spec.ts';
import { listOption, pageOptions, textOption, timeOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { ageCell, type Cell, columns, printList, timeCell } from '../terminal/table.ts';
import { formatDue } from '../terminal/times.ts';
import { type ParkedNow, parkedNext } from './next-step.ts';

const COLUMNS = columns(
  'id:cyan | handler | state | tries:right | submitted:dim | next:dim,optional | why:shrinks',
);

export const runListJobs: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = jobFilter(options, nowMs);
  const { limit, after } = pageOptions(options);
  const [page, parkedNow] = await withStore(
    invocation,
    async (store): Promise<[ShownPage, ParkedNow]> => {
      const found: ShownPage = await (options.failing === true
        ? failingPage(store, filter, limit)
        : store.jobs(filter, { limit, after }));
      const isForPeople = !(options.json || options.jsonl || options.plain);
      const isAsked = isForPeople && found.jobs.some(({ state }) => state === 'parked');
      return [found, isAsked ? await readOverview(store) : NONE_PARKED];
    },
  );
  return printList(invocation, {
    name: 'jobs',
    items: page.jobs,
    document: jobSummaryDocument,
    columns: COLUMNS,
    row: (job) => rowOf(job, parkedNow, nowMs),
    none: page.none ?? noneText(page.next),
    next: page.next,
    looked: page.jobs.length < limit ? MAX_JOB_SCAN : undefined,
    below: page.below ?? [],
  });
};

type ShownPage = JobPage & Partial<Omit<FailingPage, 'next'>>;

const NONE_PARKED: ParkedNow = { parked: [], hasWorker: false, nowMs: 0 };

function noneText(next: string | undefined): string {
  return next === undefined ? 'No job matches.' : 'No job of this page matches.';
}

function rowOf(job: JobSummary, parkedNow: ParkedNow, nowMs: number): Cell[] {
  return [
    job.id,
    job.handler,
    job.state,
    String(job.account.claims),
    ageCell(job.submittedAtMs, nowMs),
    nextCell(job, parkedNow, nowMs),
    whyText(job),
  ];
}

/** A parked job has no time of its own: it waits for its cause. */
function nextCell(job: JobSummary, parkedNow: ParkedNow, nowMs: number): Cell {
  const { state, dueAtMs } = job;
  if (dueAtMs === undefined) return '';
  const text = state === 'parked' ? parkedNext(job, parkedNow) : formatDue(dueAtMs, nowMs);
  return timeCell(text, dueAtMs);
}

/** Why it is where it is: the cause or the reason, and the newest error. */
function whyText({ state, cause, reason, lastError }: JobSummary): string {
  if (state === 'succeeded') return '';
  const parts = [cause === undefined ? reason : causeName(cause), lastError?.message].filter(
    (part) => part !== undefined,
  );
  // A row is one line, whatever an error's message is.
  return parts.join(': ').replaceAll(/\s+/g, ' ');
}

/** Which jobs the options of a list mean. */
function jobFilter(options: Options, nowMs: number): JobFilter {
  // The command line takes no other states.
  const states = listOption(options, 'state') as readonly JobState[];
  return {
    states: states.length === 0 ? undefined : states,
    handler: textOption(options, 'handler'),
    queue: textOption(options, 'queue'),
    tenant: textOption(options, 'tenant'),
    tag: textOption(options, 'tag'),
    submittedAfterMs: timeOption(options, 'since', nowMs),
    submittedBeforeMs: timeOption(options, 'until', nowMs),
  };
}

interface FailingPage {
  readonly jobs: readonly FailingJob[];
  readonly next?: undefined;
  readonly below: readonly string[];
  /** In the place of an empty list. */
  readonly none: string;
}

/** Failing jobs that fit, the newest failure first, and a line that says how many of them there are. */
async function failingPage(
  store: Pick<Store, 'failing' | 'counts'>,
  filter: JobFilter,
  limit: number,
): Promise<FailingPage> {
  const { states: wanted } = filter;
  const states = FAILING_STATES.filter((state) => wanted?.includes(state) ?? true);
  const { jobs, bounded } = await store.failing({ atMost: MAX_FAILING_SCAN, states });
  const found = jobs.filter((job) => fits(job, filter)).sort(byNewestFailure);
  const many = MAX_FAILING_SCAN.toLocaleString('en');
  const sampled = bounded ? ` of the ${many} jobs of each state that are due first` : '';
  const count = `${Math.min(limit, found.length)} of ${found.length.toLocaleString('en')}`;
  const isAll = found.length <= limit && !bounded;
  return {
    jobs: found.slice(0, limit),
    below: isAll ? [] : ['', `${count} failing jobs${sampled}; --limit shows more`],
    none: found.length > 0 ? '' : `No unfinished job is failing.${await deadText(store, filter)}`,
  };
}

/** Dead jobs are finished, so they are not in the list; somebody who comes from `redrive status` looks for them. */
async function deadText(store: Pick<Store, 'counts'>, filter: JobFilter): Promise<string> {
  const { states, handler, queue, ...others } = filter;
  // Counts know handlers and queues only.
  if (states !== undefined || Object.values(others).some((each) => each !== undefined)) return '';
  const counts = await store.counts();
  const isMeant = (group: Counts['groups'][number]) =>
    group.state === 'dead' &&
    (handler === undefined || group.handler === handler) &&
    (queue === undefined || group.queue === queue);
  const { dead } = countStates(counts, isMeant);
  if (dead === 0) return '';
  return ` ${countText(dead, isBounded(counts, isMeant))} ${dead === 1 ? 'is' : 'are'} dead: redrive dlq groups`;
}

function fits(job: FailingJob, filter: JobFilter): boolean {
  const { states, handler, queue, tenant, tag } = filter;
  const { submittedAfterMs = -Infinity, submittedBeforeMs = Infinity } = filter;
  return (
    (states?.includes(job.state) ?? true) &&
    (handler === undefined || job.handler === handler) &&
    (queue === undefined || job.queue === queue) &&
    (tenant === undefined || job.tenant === tenant) &&
    (tag === undefined || job.tags.includes(tag)) &&
    job.submittedAtMs >= submittedAfterMs &&
    job.submittedAtMs < submittedBeforeMs
  );
}

function byNewestFailure(a: FailingJob, b: FailingJob): number {
  return (b.lastFailedAtMs ?? 0) - (a.lastFailedAtMs ?? 0);
}
