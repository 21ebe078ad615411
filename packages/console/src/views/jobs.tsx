import type { JobsListAnswer } from '@redrive/client';
import { useMemo, useRef, useState } from 'preact/hooks';
import { client } from '../api.ts';
import {
  type Column,
  Empty,
  Id,
  Link,
  type ListPage,
  type ListSource,
  Page,
  State,
  stateWord,
  Time,
  VirtualList,
} from '../components/index.ts';
import { filterInput } from '../filter.ts';
import { bounded, hourMinute, msOf, num, plural, sum } from '../format.ts';
import { jobHref } from '../links.ts';
import { useChanges } from '../live.ts';
import { hrefWith, navigate, param } from '../router.ts';
import { useRead, useRenewal } from '../use-query.ts';
import { Job } from './job/job.tsx';
import '../styles/jobs.css';

type JobRow = JobsListAnswer['jobs'][number];

const STATES = [
  'ready',
  'scheduled',
  'leased',
  'parked',
  'dead',
  'succeeded',
  'cancelled',
] as const;
/** Questions for one window of rows: a page of a rare filter may be nearly empty. */
const MAX_PAGES = 10;

/** Jobs: the list, or one of them. */
export function Jobs({ rest }: { readonly rest: readonly string[] }) {
  const [id] = rest;
  return id === undefined ? <JobList /> : <Job id={id} />;
}

function JobList() {
  const [version, setVersion] = useState(0);
  const state = param('state');
  const upkeep = param('upkeep') === 'yes';
  const words = filterInput(param('q') ?? '');
  const filter = {
    ...words,
    ...(state !== undefined && { state }),
    ...(upkeep && { upkeep: 'true' }),
  };
  const key = JSON.stringify(filter);
  const underWay = useRef(0);
  const renewal = useRenewal(
    () => underWay.current > 0,
    () => setVersion((n) => n + 1),
  );
  useChanges(['enqueue', 'settle', 'cancel', 'requeue'], () => renewal.noteChange());
  const source = useMemo<ListSource<JobRow>>(
    () => ({
      key,
      version,
      page: (after, limit) => {
        underWay.current += 1;
        return pageOf(filter, after, limit).finally(() => {
          underWay.current -= 1;
        });
      },
      timeOf: (job) => Date.parse(job.submitted_at),
    }),
    [key, version],
  );
  return (
    <Page title="Jobs" className="page-jobs">
      <States selected={state} words={words} upkeep={upkeep} />
      <Scheduled words={words} />
      <VirtualList
        label="Jobs"
        columns={COLUMNS}
        source={source}
        idOf={({ id }) => id}
        onOpen={({ id }) => navigate(jobHref(id))}
        empty={
          <Empty title="No job fits." command="redrive jobs list">
            {key === '{}' ? (
              'Jobs appear when a program or an event enqueues them.'
            ) : (
              <Link href="/jobs">Show all jobs</Link>
            )}
          </Empty>
        }
      />
    </Page>
  );
}

/** Pages until the window is full: the server looks at 20,000 jobs for each, however rare the filter. */
async function pageOf(
  filter: Readonly<Record<string, string>>,
  after: string | undefined,
  limit: number,
): Promise<ListPage<JobRow>> {
  const rows: JobRow[] = [];
  let next: string | null | undefined = after;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: JobsListAnswer = await client.jobs.list({
      ...filter,
      limit: limit - rows.length,
      after: next ?? undefined,
    });
    rows.push(...page.jobs);
    next = page.next;
    if (next === null || rows.length >= limit) break;
  }
  return { rows, next: next ?? null };
}

const COLUMNS: readonly Column<JobRow>[] = [
  ['State', ({ state }) => <State of={state} />],
  ['Handler', ({ id, handler }) => <a href={jobHref(id)}>{handler}</a>, 'strong'],
  ['Job', ({ id }) => <Id of={id} />, 'hide-phone'],
  ['Queue', ({ queue }) => queue, 'soft hide-phone'],
  ['Attempts', ({ attempts_made }) => attempts_made, 'n hide-phone'],
  [
    'Next attempt',
    ({ cause, next_retry_at }) => cause ?? <Time at={next_retry_at} />,
    'soft hide-phone',
  ],
  ['Error', ({ last_error }) => last_error?.message, 'soft hide-phone w-30'],
  ['Submitted', ({ submitted_at }) => <Time at={submitted_at} />, 'n nowrap'],
];

interface StatesProps {
  readonly selected: string | undefined;
  readonly words: Readonly<Record<string, string>>;
  readonly upkeep: boolean;
}

/** How many jobs of the filter are in each state: each is a filter. */
function States({ selected, words, upkeep }: StatesProps) {
  const input = { ...words, ...(upkeep && { upkeep: 'true' }) };
  const { data } = useRead(client.jobs.counts, input, { everyMs: 10_000 });
  return (
    <nav class="states" aria-label="State">
      <a
        href={hrefWith({ state: undefined })}
        aria-current={selected === undefined ? 'true' : undefined}
      >
        All
      </a>
      {STATES.map((state) => (
        <a
          key={state}
          href={hrefWith({ state })}
          aria-current={selected === state ? 'true' : undefined}
        >
          <State of={state} word={stateWord(state).toLowerCase()} />
          <span class="muted">{data && bounded(data.states[state], data.bounded)}</span>
        </a>
      ))}
      {upkeep ? (
        <a href={hrefWith({ upkeep: undefined })}>Leave out Redrive's upkeep</a>
      ) : (
        data !== undefined &&
        data.upkeep > 0 && (
          <a href={hrefWith({ upkeep: 'yes' })}>
            {`Show ${plural(data.upkeep, "job of Redrive's upkeep", "jobs of Redrive's upkeep")}`}
          </a>
        )
      )}
    </nav>
  );
}

const HEIGHT = 40;
const BAR = 8;

/** Retries of the filter in the next 24 hours, by quarter of an hour. */
function Scheduled({ words }: Pick<StatesProps, 'words'>) {
  const { data } = useRead(client.jobs.scheduledRetries, words, { everyMs: 10_000 });
  if (data === undefined) return null;
  const { buckets, bucket_ms: widthMs, overdue, counted_until: until } = data;
  const total = sum(buckets);
  const most = Math.max(1, ...buckets);
  const fromMs = msOf(data.from ?? '');
  const peak = `${hourMinute(fromMs + buckets.indexOf(most) * widthMs)}: ${num(most)}`;
  const text = [
    `${plural(total, 'retry is', 'retries are', data.bounded)} scheduled in the next 24 h`,
    total > 0 ? `, the most at ${peak}` : '',
    overdue > 0 ? `; ${num(overdue)} are due and wait for a worker` : '',
  ];
  return (
    <figure class="scheduled">
      <figcaption>
        {`${text.join('')}.`}
        {until !== null && (
          <span class="muted">
            {' '}
            From the first 10,000 scheduled jobs: nothing is known after {hourMinute(until)}.
          </span>
        )}
      </figcaption>
      {total > 0 && (
        <>
          <svg
            viewBox={`0 0 ${buckets.length * BAR} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {buckets.map((count, index) => {
              const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
              return (
                <rect
                  key={index}
                  x={index * BAR}
                  y={HEIGHT - height}
                  width={BAR - 2}
                  height={height}
                >
                  <title>{`${hourMinute(fromMs + index * widthMs)}: ${count}`}</title>
                </rect>
              );
            })}
          </svg>
          <div class="hours" aria-hidden="true">
            {[0, 6, 12, 18].map((hours) => (
              <span key={hours}>
                {hours === 0 ? 'now' : hourMinute(fromMs + hours * 3_600_000)}
              </span>
            ))}
            <span>+24 h</span>
          </div>
        </>
      )}
    </figure>
  );
}
