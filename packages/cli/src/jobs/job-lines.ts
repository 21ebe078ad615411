import type { JobState } from '@redrive/durable';
import type { ShownValues } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { asideText } from '@redrive/operate/texts';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { formatAge, formatTime } from '../terminal/times.ts';
import { attemptLines } from './attempt-lines.ts';
import { barText } from './bar-text.ts';
import { nextStep } from './next-step.ts';

type Job = AnswerOf<typeof ACTIONS.jobs.show>;
/** What a job itself says, without its circumstances. */
export type JobFacts = Omit<Job, 'parked' | 'kill_switch' | 'pause' | 'set_aside'>;

/** Characters of a payload or a result that are shown; `--full` shows all. */
const MAX_BODY = 400;

/** The whole life of a job, for people. */
export const JOB_SHOW = textOf<Job>(({ io, options, answer: job, nowMs }) => {
  const { screen } = io;
  const values = options.full ? 'full' : 'redacted';
  const { set_aside: aside, result_omitted_bytes: omitted } = job;
  const next = aside ? asideText(aside) : nextStep(job, nowMs);
  const result = omitted === null ? bodyText(job.result) : `left out: it had ${omitted} bytes`;
  printLines(io, [
    `${screen.paint('bold', printable(`${job.handler} ${job.id}`))}  ${paintState(screen, job.state)}`,
    ...wrapWords(printable(next), screen.columns),
    '',
    ...factLines(screen, job, nowMs),
    ...attemptLines(screen, job),
    ...bodyLines(screen, 'payload', bodyText(job.payload), values),
    ...bodyLines(screen, 'result', result, values),
  ]);
});

/** Facts beside payload and result. */
type Facts = Omit<JobFacts, 'headers' | 'payload' | 'result' | 'result_omitted_bytes'>;

export function factLines(screen: Screen, job: Facts, nowMs: number): string[] {
  const time = (at: string) => {
    const atMs = Date.parse(at);
    return `${formatTime(atMs)} (${formatAge(atMs, nowMs)})`;
  };
  const { priority, deadline } = job;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['queue', priority === 0 ? job.queue : `${job.queue}, priority ${priority}`],
    ['tenant', job.tenant],
    ['submitted', time(job.submitted_at)],
    ['deadline', deadline && time(deadline)],
    ['attempts', attemptsText(job)],
    ['progress', job.lease?.progress && barText(screen, job.lease.progress, nowMs)],
    ['error class', job.error_class],
    ['policy', policyText(job)],
    ['batch', job.batch],
    ['unique key', job.unique_key],
    ['limit key', job.limit_key],
    ['tags', job.tags.join(', ') || undefined],
    ['session', job.session_id === job.id ? undefined : job.session_id],
    ['enqueued by', job.parent_id],
    ['leads to', leadsToText(job)],
    ['on death', job.on_dead],
  ];
  return facts.flatMap(([name, value]) =>
    value == null ? [] : [`${screen.paint('cyan', name.padEnd(11))} ${printable(value)}`],
  );
}

/** `3 of 8`; `3` of a job that is done; `3, 2 of them count towards 8`; with the generation, and attempts before a hand-over. */
function attemptsText({ charged, attempts, state, generation, executions, ...job }: Facts): string {
  const { attempts_made: claims } = job;
  const newest = attempts.at(-1);
  // Each rung has its own limit.
  const max = newest?.rung === 'call' ? undefined : newest?.max_attempts;
  const before = generation === 1 ? executions - claims : 0;
  const free = `, ${charged} of them ${charged === 1 ? 'counts' : 'count'}`;
  const most = max === undefined ? '' : `${charged === claims ? ' of' : ' towards'} ${max}`;
  const limit = `${charged === claims ? '' : free}${most}`;
  const which = generation === 1 ? '' : `, in generation ${generation}`;
  const climbed = before === 0 ? '' : `, after ${before} before it was handed over`;
  // The limit says nothing about a job that is done.
  return `${claims}${state === 'succeeded' ? '' : limit}${which}${climbed}`;
}

export function bodyText(value: unknown): string | undefined {
  return value === null ? undefined : JSON.stringify(value);
}

export function bodyLines(
  screen: Screen,
  name: string,
  text: string | undefined,
  values: ShownValues,
): string[] {
  if (text === undefined) return [];
  const isLong = text.length > MAX_BODY && values !== 'full' && screen.isTerminal;
  const cut = isLong ? `${text.slice(0, MAX_BODY)}… (${text.length} characters)` : text;
  const lines = wrapWords(printable(cut), screen.columns - 2);
  return ['', screen.paint('cyan', name), ...lines.map((line) => `  ${line}`)];
}

/** Ids of a line; `jobs show --json` has more. */
const MOST_IDS = 3;

/** `ID, ID and 4 more`; null: nothing. */
function leadsToText({ leads_to: { count, ids } }: Facts): string | null {
  if (count === 0) return null;
  const shown = ids.slice(0, MOST_IDS);
  const more = count - shown.length;
  if (shown.length === 0) return `${count} ${count === 1 ? 'job' : 'jobs'}`;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

/** The policy with the job's own number of attempts. */
function policyText(job: Facts): string | null {
  const { own_max_attempts: own } = job;
  const name = policyName(job);
  if (own === null) return name;
  const limit = `${own} ${own === 1 ? 'attempt' : 'attempts'} for this job`;
  return name === null ? limit : `${name}; ${limit}`;
}

/** The policy of the newest attempt with its version; before the first attempt, what the job names. */
function policyName({ attempts, own_policy: policy }: Facts): string | null {
  const newest = attempts.at(-1);
  if (policy !== null && HASH.test(policy)) return `of this job, version ${policy.slice(0, 12)}`;
  if (newest === undefined) return policy;
  // A policy without a name has this one, which the job itself would have to ask for.
  const isUnnamed = newest.policy_id === 'default' && policy !== 'default';
  const name = isUnnamed
    ? `of the ${newest.rung === 'call' ? 'call' : 'handler'} (no name)`
    : (newest.policy_id ?? policy ?? 'unknown');
  // An imported letter says nothing about its policy.
  if (newest.policy_hash === '') return newest.policy_id ?? policy;
  return `${name}, version ${newest.policy_hash.slice(0, 12)}`;
}

/** The version of a policy that was written out. */
const HASH = /^[0-9a-f]{64}$/;

const COLOURS: Readonly<Record<JobState, Colour>> = {
  scheduled: 'yellow',
  ready: 'blue',
  parked: 'magenta',
  leased: 'cyan',
  succeeded: 'green',
  dead: 'red',
  cancelled: 'dim',
  purged: 'dim',
};

/** A state, or a text about it, in the colour that it has everywhere. */
export function paintState(
  screen: Pick<Screen, 'paint'>,
  state: JobState,
  text: string = state,
): string {
  return screen.paint(COLOURS[state], text);
}
