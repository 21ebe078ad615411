import type { JobsTimelineAnswer as JobTimeline } from '@redrive/client';
import { duration, hourMinute, msOf } from '../../format.ts';

type Row = JobTimeline['rows'][number];
type Wait = Row['waits'][number];
type Planned = JobTimeline['planned'][number];

/** Entries of attempts that cost nothing. */
const FREE: readonly string[] = ['rate_limited', 'blocked', 'interrupted', 'process_lost'];

export function isFree(entry: string): boolean {
  return FREE.includes(entry);
}

const CLASSES: Readonly<Record<Wait['why'], string>> = {
  backoff: '',
  hint: 'hint',
  breaker: 'breaker',
  gate: 'gate',
  budget: 'gate',
  kill: 'kill-h',
  pause: 'gate',
  worker: 'queued',
};

export function waitClass(why: Wait['why'] | undefined): string {
  return why === undefined ? '' : CLASSES[why];
}

/** `breaker:bank` as `breaker bank`; `the handler invoice` as it is. */
function named(what: string, of: string | null): string {
  if (of === null) return what;
  const rest = of
    .replace(/^(breaker|gate|kill):/, '')
    .replace(/^(queue|handler|tenant|operation):/, '$1 ');
  return of.startsWith('the ') || of === 'everything' ? `${what} on ${of}` : `${what} ${rest}`;
}

const NAMES: Readonly<Record<Wait['why'], string>> = {
  backoff: 'back-off',
  hint: 'Retry-After',
  breaker: 'breaker',
  gate: 'gate',
  budget: 'retry budget',
  kill: 'kill switch',
  pause: 'pause',
  worker: 'waits for a worker',
};

/** `back-off 34.2 s`, `Retry-After 2 min, costs no attempt`, `kill switch, 18 min 48 s so far`. */
export function waitText(wait: Wait, { entry }: Pick<Row, 'entry'>, nowMs: number): string {
  const { why, of, ongoing } = wait;
  const untilMs = wait.until === null ? nowMs : msOf(wait.until);
  const took = duration(untilMs - msOf(wait.from));
  if (why === 'backoff' || why === 'hint') {
    const free = why === 'hint' && isFree(entry) ? ', costs no attempt' : '';
    return `${NAMES[why]} ${took}${free}`;
  }
  const soFar = ongoing && wait.until === null ? ' so far' : '';
  return `${named(NAMES[why], of)}, ${took}${soFar}`;
}

/** How long an attempt ran; an attempt that was blocked did not. */
export function tookText({ started_at, ended_at, entry }: Row, nowMs: number): string {
  if (entry === 'blocked') return '0';
  const took = duration(msOf(ended_at ?? nowMs) - msOf(started_at));
  return ended_at === null ? `${took} so far` : took;
}

const CONDITIONS: Readonly<Record<Wait['why'], string>> = {
  backoff: 'after the back-off',
  hint: 'after the Retry-After',
  breaker: 'as soon as the breaker closes, or as its probe',
  gate: 'after the gate opens',
  budget: 'as soon as the retry budget allows it',
  kill: 'as soon as the kill switch is released',
  pause: 'as soon as it is resumed',
  worker: 'as soon as a worker takes it',
};

export function plannedText({ at, waits_for, at_most_after_ms, attempt }: Planned): string {
  if (waits_for !== null) return CONDITIONS[waits_for];
  if (at !== null) return `at ${hourMinute(at)}`;
  return `up to ${duration(at_most_after_ms ?? 0)} after attempt ${attempt - 1}`;
}

const CAUSES: Readonly<Record<string, string>> = {
  kill: 'by the kill switch on',
  breaker: 'because the breaker is open:',
  gate: 'because the dependency is rate-limited:',
};

/** Why the job is where it is, in words, for the lede. */
export function stateText(state: string, { planned }: Pick<JobTimeline, 'planned'>): string {
  const [next] = planned;
  if (next?.waits_for && CAUSES[next.waits_for] !== undefined) {
    const of = (next.of ?? '').replace(/^the /, '').replace(/^(kill|breaker|gate):/, '');
    const stopped = state === 'parked' ? '' : ', stopped';
    return `${stopped} ${CAUSES[next.waits_for]} ${of.replace(/^(queue|handler|tenant):/, '$1 ')}`;
  }
  if (state === 'ready') return next?.waits_for === 'pause' ? ', paused' : ', waits for a worker';
  return '';
}
