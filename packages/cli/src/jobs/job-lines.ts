import { chargedAttempts } from '@redrive/core/stored';
import { type Job, type JobDocument, type JobState, jobDocument } from '@redrive/durable';
import { attemptsBefore, type ShownValues } from '@redrive/durable/store';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { formatAge, formatTime } from '../terminal/times.ts';
import { attemptLines } from './attempt-lines.ts';
import { type Circumstances, nextStep } from './next-step.ts';

/** Characters of a payload or a result that are shown; `--full` shows all. */
const MAX_BODY = 400;

interface JobLinesOptions extends Circumstances {
  /** Says that its row is set aside. */
  readonly aside?: string | undefined;
  /** How payload and result are shown. */
  readonly values: ShownValues;
}

/** The whole life of a job, for people. */
export function jobLines(
  screen: Screen,
  job: Job,
  { aside, overview, nowMs, values }: JobLinesOptions,
): string[] {
  const document = jobDocument(job, { values });
  const title = screen.paint('bold', printable(`${job.handler} ${job.id}`));
  return [
    `${title}  ${paintState(screen, job.state)}`,
    ...wrapWords(printable(aside ?? nextStep(job, { overview, nowMs })), screen.columns),
    '',
    ...factLines(screen, job, nowMs),
    ...attemptLines(screen, job.attempts),
    ...bodyLines(screen, 'payload', bodyText(document.payload), values),
    ...bodyLines(screen, 'result', resultText(document), values),
  ];
}

export function factLines(screen: Screen, job: Job, nowMs: number): string[] {
  const time = (atMs: number) => `${formatTime(atMs)} (${formatAge(atMs, nowMs)})`;
  const { priority, deadlineMs } = job;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['queue', priority === 0 ? job.queue : `${job.queue}, priority ${priority}`],
    ['tenant', job.tenant || undefined],
    ['submitted', time(job.submittedAtMs)],
    ['deadline', deadlineMs === undefined ? undefined : time(deadlineMs)],
    ['attempts', attemptsText(job)],
    ['error class', job.errorClass],
    ['policy', policyText(job)],
    ['unique key', job.uniqueKey],
    ['limit key', job.limitKey],
    ['tags', job.tags.join(', ') || undefined],
    ['session', job.sessionId === job.id ? undefined : job.sessionId],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${screen.paint('cyan', name.padEnd(11))} ${printable(value)}`],
  );
}

/** `3 of 8`; `3` of a job that is done; `3, 2 of them count towards 8`; with the generation, and attempts before a hand-over. */
function attemptsText({ account, attempts, state }: Job): string {
  const { claims, entries, generation } = account;
  const newest = attempts.kept.at(-1);
  // Each rung has its own limit.
  const max = newest?.rung === undefined ? newest?.maxAttempts : undefined;
  const before = attemptsBefore(account);
  // Nothing is charged for the attempt that succeeded, though it was one.
  const counted = chargedAttempts(account) + entries.succeeded;
  const free = `, ${counted} of them ${counted === 1 ? 'counts' : 'count'}`;
  const most = max === undefined ? '' : `${counted === claims ? ' of' : ' towards'} ${max}`;
  const limit = `${counted === claims ? '' : free}${most}`;
  const which = generation === 1 ? '' : `, in generation ${generation}`;
  const climbed = before === 0 ? '' : `, after ${before} before it was handed over`;
  // The limit says nothing about a job that is done.
  return `${claims}${state === 'succeeded' ? '' : limit}${which}${climbed}`;
}

export function bodyText(value: unknown): string | undefined {
  return value === null ? undefined : JSON.stringify(value);
}

function resultText({ result, result_omitted_bytes: omitted }: JobDocument): string | undefined {
  return omitted === null ? bodyText(result) : `left out: it had ${omitted} bytes`;
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

/** The policy of the newest attempt with its version; before the first attempt, what the job names. */
function policyText({ attempts, policyId }: Job): string | undefined {
  const newest = attempts.kept.at(-1);
  if (newest === undefined) return policyId;
  // A policy without a name has this one, which the job itself would have to ask for.
  const isUnnamed = newest.policyId === 'default' && policyId !== 'default';
  const name = isUnnamed
    ? `of the ${newest.rung === 'call' ? 'call' : 'handler'} (no name)`
    : (newest.policyId ?? policyId ?? 'unknown');
  // An imported letter says nothing about its policy.
  if (newest.policyHash === '') return newest.policyId ?? policyId;
  return `${name}, version ${newest.policyHash.slice(0, 12)}`;
}

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
