import type {
  JobsCancelAnswer,
  JobsShowAnswer,
  JobsTimelineAnswer as JobTimeline,
} from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import { useRef } from 'preact/hooks';
import { client } from '../../api.ts';
import {
  Acts,
  Button,
  type Column,
  copy,
  Facts,
  Id,
  Json,
  Link,
  ListSection,
  Loaded,
  type Offer,
  Page,
  Section,
  State,
  stateWord,
  Time,
} from '../../components/index.ts';
import { absolute, duration, msOf, plural, timeOfDay } from '../../format.ts';
import { auditHref, batchHref } from '../../links.ts';
import { hrefWith, param } from '../../router.ts';
import { useQuery, useRead } from '../../use-query.ts';
import { Climb } from './climb.tsx';
import { Derivation } from './derivation.tsx';
import { Progress } from './progress.tsx';
import { Timeline, type TimelineRow } from './timeline.tsx';
import { isFree, stateText, waitText } from './timeline-text.ts';

/** Transitions of a job, and switches that may stop it. */
const MOVES = [
  ...['claim', 'settle', 'lease_lost', 'unpark', 'run_now', 'cancel', 'expire', 'requeue', 'reset'],
  ...['control', 'act'],
];
const EVERY_MS = 10_000;

/** Each read of a payload is recorded, so the job is read only where `known` is of another revision. */
async function readJob(id: string, known: JobsShowAnswer | undefined, signal: AbortSignal) {
  const timeline = await client.jobs.timeline({ id }, { signal });
  const isSame = known?.id === id && known.revision === timeline.revision;
  const job = isSame ? known : await client.jobs.show({ id }, { signal });
  return { job, timeline };
}

type JobPage = Awaited<ReturnType<typeof readJob>>;

/** One job: its timeline, then the derivation of a decision beside the attempts. */
export function Job({ id }: { readonly id: string }) {
  const known = useRef<JobsShowAnswer | undefined>(undefined);
  const query = useQuery(`job ${id}`, (signal) => readJob(id, known.current, signal), {
    everyMs: EVERY_MS,
    on: MOVES,
    of: id,
  });
  known.current = query.data?.job;
  const revision = query.data?.job.revision;
  const replay = useRead(
    client.jobs.replay,
    { id },
    { isOff: revision === undefined, version: revision },
  );
  // The rest of the work moves without this job: it is read again as often as the page.
  const climb = useRead(
    client.jobs.climb,
    { id },
    { isOff: revision === undefined, version: revision, everyMs: EVERY_MS },
  );
  const { data } = query;
  const handler = data?.job.handler ?? 'Job';
  const title = (
    <>
      {handler} <Id of={id} full />
    </>
  );
  const crumb = (
    <>
      <a href="/jobs">Jobs</a>
      {data && (
        <>
          {' / '}
          <a href={`/jobs?q=handler:${encodeURIComponent(handler)}`}>{handler}</a>
        </>
      )}
    </>
  );
  return (
    <Page
      title={title}
      name={`${handler} ${id}`}
      crumb={crumb}
      lede={data && <Lede {...data} />}
      acts={data && <JobActsBar page={data} onDone={query.reload} />}
      className="page-job"
    >
      <Loaded query={query} title="The job did not load.">
        {({ job, timeline }) => {
          const row = selectedRow(timeline);
          return (
            <>
              {timeline.progress && <Progress of={timeline.progress} now={timeline.now} />}
              <Timeline of={timeline} selected={row?.attempt} />
              {climb.data && <Climb of={climb.data} job={id} />}
              <div class="two job-parts">
                <Derivation row={row} query={replay} />
                <Attempts of={timeline} />
              </div>
              <Section title="Job" className="job-facts">
                <Facts
                  of={[
                    ['Queue', job.queue],
                    ['Tenant', job.tenant],
                    ['Submitted', absolute(job.submitted_at)],
                    ['Deadline', job.deadline && absolute(job.deadline)],
                    ['Policy', job.policy],
                    ['Batch', job.batch && <Link href={batchHref(job.batch)}>{job.batch}</Link>],
                    ['Unique key', job.unique_key],
                    ['Tags', job.tags.join(', ')],
                    ['Session', job.session_id === job.id ? undefined : job.session_id],
                    ['Origin', job.origin && `${job.origin.rung} ${job.origin.source}`],
                    ['On death', job.on_dead],
                    ['Enqueued by', job.parent_id && <JobLink id={job.parent_id} />],
                    [
                      'Leads to',
                      job.leads_to.count > 0 ? <LeadsTo of={job.leads_to} /> : undefined,
                    ],
                  ]}
                />
                <h3>Payload</h3>
                <Json text={JSON.stringify(job.payload, undefined, 2)} />
              </Section>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function JobLink({ id }: { readonly id: string }) {
  return (
    <a href={`/jobs/${encodeURIComponent(id)}`}>
      <Id of={id} />
    </a>
  );
}

function LeadsTo({ of: { count, ids } }: { readonly of: JobsShowAnswer['leads_to'] }) {
  const more = count - ids.length;
  return (
    <>
      {ids.map((id) => (
        <span key={id}>
          <JobLink id={id} />{' '}
        </span>
      ))}
      {more > 0 && (ids.length === 0 ? plural(more, 'job') : `and ${more} more`)}
    </>
  );
}

/** That of the address; otherwise the newest with a decision. */
function selectedRow({ rows }: JobTimeline): TimelineRow | undefined {
  const wanted = Number(param('attempt'));
  return (
    rows.find(({ attempt }) => attempt === wanted) ??
    rows.findLast(({ revision }) => revision !== null) ??
    rows.at(-1)
  );
}

function Lede({ job, timeline }: JobPage) {
  const { state, finished_at: finished, next_retry_at: next } = job;
  const last = timeline.rows.at(-1);
  const since =
    state === 'parked' ? last?.ended_at : state === 'leased' ? last?.started_at : undefined;
  const used =
    timeline.max_attempts === null
      ? undefined
      : `${timeline.charged} of ${timeline.max_attempts} attempts`;
  return (
    <>
      <State of={state} word={<b>{stateWord(state)}</b>} />
      {since && ` since ${timeOfDay(since)}`}
      {finished && ` at ${timeOfDay(finished)}`}
      {state === 'scheduled' && next && (
        <>
          : the next attempt is at {timeOfDay(next)}, <Time at={next} />
        </>
      )}
      {stateText(state, timeline)}
      {state === 'dead' && used && `: gave up after ${used}`}
      {'. '}
      {used && state !== 'dead' && (
        <>
          <b>{used}</b> {timeline.charged === 1 ? 'is' : 'are'} used.
        </>
      )}
      {job.reason && state === 'dead' && <span class="mono"> {job.reason}</span>}
    </>
  );
}

const FINISHED: readonly string[] = ['succeeded', 'dead', 'cancelled', 'purged'];

/** Why an act is of no use in this state. */
function whyNotCancel({ state, cancel_requested: isAsked }: JobPage['job']): string | undefined {
  if (FINISHED.includes(state)) return `Cancel: it is ${state} already`;
  return isAsked ? 'Cancel: it was asked to stop already' : undefined;
}

function whyNotRetry({ job, timeline }: JobPage): string | undefined {
  if (job.state === 'leased') return 'Retry now: it runs';
  if (job.state === 'succeeded' || job.state === 'purged') return `Retry now: it is ${job.state}`;
  const [next] = timeline.planned;
  if (next?.waits_for === 'kill')
    return `Retry now: blocked by the kill switch on ${(next.of ?? '').replace(/^the |^kill:/, '').replace(':', ' ')}`;
  return job.state === 'ready' ? 'Retry now: it is ready already' : undefined;
}

interface JobActsBarProps {
  readonly page: JobPage;
  readonly onDone: () => void;
}

function JobActsBar({ page, onDone }: JobActsBarProps) {
  const { job } = page;
  const isNew = job.state === 'dead' || job.state === 'cancelled';
  const stop = 'It starts no further attempt. A running attempt is asked to stop.';
  const again = isNew
    ? 'It begins a new generation with all its attempts.'
    : 'It becomes ready before its time, whatever it waited for.';
  const offer = (
    name: 'cancel' | 'retry',
    label: string,
    lede: string,
    whyNot: string | undefined,
  ): Offer => {
    const verb = name === 'cancel' ? 'Cancel' : 'Retry';
    return {
      ...{ name, label, whyNot },
      act: () => ({
        ...{ danger: name === 'cancel', lede, said },
        title: `${verb} this job`,
        button: `${verb} ${job.handler}`,
        command: commandText`redrive jobs ${name} ${job.id}`,
        run: (why) => client.jobs[name]({ ...why, ids: [job.id] }),
      }),
    };
  };
  const offers = [
    offer('cancel', 'Cancel…', stop, whyNotCancel(job)),
    offer('retry', 'Retry now…', again, whyNotRetry(page)),
  ];
  return (
    <>
      <Button href={auditHref(job.session_id)}>Audit</Button>
      <Button onClick={() => copy(location.href, 'The link is copied.')}>Copy link</Button>
      <Acts of={offers} onDone={onDone} />
    </>
  );
}

/** The answer of both routes. */
function said(answer: unknown): string {
  const [outcome] = (answer as JobsCancelAnswer).jobs; // Both have the same.
  if (outcome?.done !== true) throw new Error(`${outcome?.note ?? 'no answer'}.`);
  return `The job is ${outcome.note}.`;
}

function Attempts({ of: { rows, now, complete } }: { readonly of: JobTimeline }) {
  return (
    <div>
      <ListSection
        title="Attempts"
        none="none has started"
        note="newest first"
        rows={rows.toReversed()}
        columns={attemptColumns(msOf(now))}
        idOf={({ attempt }) => `${attempt}`}
      />
      {!complete && (
        <p class="l2">
          Older attempts: {plural(rows[0]?.attempt ?? 0, 'attempt')} before are in the audit log.
        </p>
      )}
    </div>
  );
}

function attemptColumns(nowMs: number): readonly Column<TimelineRow>[] {
  return [
    [
      'No.',
      ({ attempt }) => <a href={hrefWith({ attempt: String(attempt) })}>{attempt}</a>,
      'n soft w-no',
    ],
    ['Started', ({ started_at }) => <Time at={started_at} kind="time" />, 'nowrap'],
    [
      'Result',
      (row) => (
        <>
          <State of={row.entry} word={row.error?.message ?? row.entry.replace('_', ' ')} />
          <span class="l2">{resultText(row)}</span>
        </>
      ),
      'result',
    ],
    [
      'Then',
      (row) => (
        <>
          {row.reason}
          <span class="l2">{row.waits.map((wait) => waitText(wait, row, nowMs)).join(', ')}</span>
        </>
      ),
    ],
  ];
}

function resultText({ entry, started_at, ended_at, worker }: TimelineRow): string {
  const on = worker === null ? '' : ` on ${worker}`;
  if (entry === 'blocked') return 'did not run';
  if (ended_at === null) return `runs${on}`;
  const took = `took ${duration(msOf(ended_at) - msOf(started_at))}${on}`;
  return isFree(entry) ? `free, ${took}` : took;
}
