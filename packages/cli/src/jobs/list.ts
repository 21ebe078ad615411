import {
  causeName,
  counted,
  countText,
  MAX_FAILING_SCAN,
  MAX_JOB_SCAN,
} from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf } from '../action/renderer.ts';
import { pageOptions } from '../command/option-values.ts';
import { ageCell, type Cell, columns, timeCell } from '../terminal/table.ts';
import { formatDue } from '../terminal/times.ts';
import { parkedNext } from './next-step.ts';

type Jobs = AnswerOf<typeof ACTIONS.jobs.list>;
type Job = Jobs['jobs'][number];

const COLUMNS = columns(
  'id:cyan | handler | state | tries:right | submitted:dim | next:dim,optional | why:shrinks',
);

export const JOB_LIST = listOf<Jobs, Job>(({ answer, options, nowMs }) => {
  const { jobs, failing, next, upkeep } = answer;
  const { limit } = pageOptions(options);
  return {
    name: 'jobs',
    columns: COLUMNS,
    row: (job) => rowOf(job, nowMs),
    none: failing
      ? noneFailing(failing)
      : next === null
        ? 'No job matches.'
        : 'No job of this page matches.',
    looked: jobs.length < limit ? MAX_JOB_SCAN : undefined,
    below: failing ? countLines(failing, jobs.length) : upkeepLines(upkeep),
  };
});

function upkeepLines(count: number | null): string[] {
  return count
    ? ['', `${counted(count, 'job')} of Redrive's own upkeep left out; see --upkeep`]
    : [];
}

type Failing = NonNullable<Jobs['failing']>;

function noneFailing({ count, dead, dead_bounded: bounded }: Failing): string {
  if (count > 0) return '';
  const dying =
    dead === 0
      ? ''
      : ` ${countText(dead, bounded)} ${dead === 1 ? 'is' : 'are'} dead: redrive dlq groups`;
  return `No unfinished job is failing.${dying}`;
}

function countLines({ count, bounded }: Failing, shown: number): string[] {
  if (shown === count && !bounded) return [];
  const many = MAX_FAILING_SCAN.toLocaleString('en');
  const sampled = bounded ? ` of the ${many} jobs of each state that are due first` : '';
  const shownOf = `${shown} of ${count.toLocaleString('en')}`;
  return ['', `${shownOf} failing jobs${sampled}; --limit shows more`];
}

function rowOf(job: Job, nowMs: number): Cell[] {
  return [
    job.id,
    job.handler,
    job.state,
    String(job.attempts_made),
    ageCell(job.submitted_at, nowMs),
    nextCell(job, nowMs),
    whyText(job),
  ];
}

/** A parked job has no time of its own: it waits for its cause. */
function nextCell({ parked, next_retry_at: due }: Job, nowMs: number): Cell {
  if (due === null) return '';
  const dueAtMs = Date.parse(due);
  const text = parked ? parkedNext(parked, dueAtMs, nowMs) : formatDue(dueAtMs, nowMs);
  return timeCell(text, dueAtMs);
}

/** Why it is where it is: the cause or the reason, and the newest error. */
function whyText({ state, cause, reason, last_error }: Job): string {
  if (state === 'succeeded') return '';
  const parts = [cause === null ? reason : causeName(cause), last_error?.message];
  // A row is one line, whatever an error's message is.
  return parts
    .filter((part) => part != null)
    .join(': ')
    .replaceAll(/\s+/g, ' ');
}
