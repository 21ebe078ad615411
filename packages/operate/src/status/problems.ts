import type { JobState } from '@redrive/durable';
import {
  ageText,
  type Counts,
  causeName,
  countStates,
  countText,
  type Failure,
  formatAge,
  isBounded,
  isStopped,
  missingWorkers,
  type Status,
  spanText,
  targetText,
} from '@redrive/durable/store';
import * as z from 'zod';
import { failureSizes, handlersText, lastErrorText, whoText } from './failure-text.ts';

export const PROBLEM = z.object({
  kind: z
    .enum([
      'kill_switch',
      'no_worker',
      'failing',
      'stalled',
      'paused',
      'breaker_forced',
      'rate_limited',
      'held',
      'source',
      'dead_letters',
    ])
    .describe('its kind'),
  level: z.enum(['bad', 'note']).describe('note: no action is needed at once'),
  text: z.string().describe('one sentence'),
});
type Problem = z.output<typeof PROBLEM>;

/** Problems of one kind; one line counts the rest. */
const MAX_OF_KIND = 3;

/** All problems, the most urgent first. Empty: all is well. */
export function problemsOf(status: Status): readonly Problem[] {
  const stops = killed(status);
  const absent = withoutWorkers(status);
  // A kill switch for everything explains all that follows. Otherwise jobs without a worker come first.
  const isAllStopped = status.control.killSwitches.some(({ scope }) => scope === 'all');
  return [
    ...(isAllStopped ? [...stops, ...absent] : [...absent, ...stops]),
    ...failed(status),
    ...stalled(status),
    ...awaySources(status),
    ...forced(status),
    ...paused(status),
    ...held(status),
    ...rateLimited(status),
    ...otherDead(status),
  ];
}

function killed({ control }: Status): Problem[] {
  const { killSwitches, nowMs } = control;
  const texts = killSwitches.map(
    (kill) => `${capital(targetText(kill))} is stopped by a kill switch, ${whoText(kill, nowMs)}`,
  );
  return few(problems('kill_switch', 'bad', texts), 'kill switch', 'kill switches');
}

function withoutWorkers(status: Status): Problem[] {
  const { counts, live, control } = status;
  const fits = (group: Counts['groups'][number]) => !isStopped(group, control);
  const { scheduled, ready, parked, leased } = countStates(counts, fits);
  const text = (count: number, states: readonly JobState[]) =>
    countText(
      count,
      isBounded(counts, (group) => fits(group) && states.includes(group.state)),
    );
  const waiting = scheduled + ready + parked + leased;
  if (live.workers.length === 0 && waiting > 0) {
    const jobs = [
      [ready, 'ready'],
      [scheduled, 'scheduled'],
      [parked, 'parked'],
      [leased, 'leased'],
    ] as const;
    const parts = jobs
      .filter(([count]) => count > 0)
      .map(([count, state]) => `${text(count, [state])} ${state}`);
    const total = waiting === 1 ? 'job waits' : 'jobs wait';
    const all = text(
      waiting,
      jobs.map(([, state]) => state),
    );
    const sentence = `No worker is running, and ${all} ${total}: ${parts.join(', ')}`;
    return [{ kind: 'no_worker', level: 'bad', text: sentence }];
  }
  return few(
    missingWorkers(status).map(({ handler, queues, ...jobs }): Problem => {
      const isKnown = live.workers.some(({ handlers }) => handlers.includes(handler));
      const where = isKnown ? ` in ${queues.join(', ')}` : '';
      const { text: waiting, isOne } = waitingText(jobs, (state) =>
        isBounded(counts, (group) => group.handler === handler && group.state === state),
      );
      const text = `${waiting} of ${handler}${where} ${isOne ? 'waits' : 'wait'}, and no worker runs ${isOne ? 'it' : 'them'}`;
      return { kind: 'no_worker', level: jobs.ready > 0 ? 'bad' : 'note', text };
    }),
    'handler without a worker',
    'handlers without a worker',
  );
}

/** `20 ready jobs`; without a ready one, the scheduled or parked jobs. */
function waitingText(
  { ready, scheduled, parked }: Record<'ready' | 'scheduled' | 'parked', number>,
  isCut: (state: JobState) => boolean,
): { readonly text: string; readonly isOne: boolean } {
  const [count, state]: readonly [number, JobState] =
    ready > 0 ? [ready, 'ready'] : scheduled > 0 ? [scheduled, 'scheduled'] : [parked, 'parked'];
  const isOne = count === 1;
  return { text: `${countText(count, isCut(state))} ${state} ${isOne ? 'job' : 'jobs'}`, isOne };
}

function failed({ failing, control }: Status): Problem[] {
  return few(
    failing.failures.map((failure): Problem => {
      const forMs = Math.max(1_000, failing.nowMs - failure.sinceMs);
      const gate = gateOf(failure, control);
      const sizes = failureSizes(failure);
      const who = handlersText(failure);
      const where = failure.dependency === undefined ? '' : ` at ${failure.dependency}`;
      if (gate !== undefined) {
        const opens = formatAge(gate.untilMs, failing.nowMs);
        const text = `${gate.dependency} is rate-limited; its gate opens ${opens}: ${sizes}`;
        return { kind: 'rate_limited', level: 'note', text };
      }
      const verb = failure.handlers.length === 1 ? 'has been failing' : 'have been failing';
      const text = `${who} ${verb}${where} for ${spanText(forMs)}: ${sizes}. ${lastErrorText(failure)}`;
      return { kind: 'failing', level: 'bad', text };
    }),
    'cause of failures',
    'causes of failures',
    failing.more,
  );
}

/** Attempts that make no progress, the longest first. */
function stalled({ live: { workers, nowMs } }: Status): Problem[] {
  const more = workers.some(({ moreStalled }) => moreStalled > 0);
  const texts = workers
    .flatMap((worker) => worker.stalled)
    .sort((a, b) => a.sinceMs - b.sinceMs)
    .map(({ id, handler, sinceMs }) => {
      const forMs = Math.max(1_000, nowMs - sinceMs);
      return `Job ${id} of ${handler} has made no progress for ${spanText(forMs)}`;
    });
  return few(problems('stalled', 'bad', texts), 'stalled job', 'stalled jobs', more);
}

/** The gate of jobs that wait for nothing else. */
function gateOf({ causes, retrying, dead }: Failure, { gates }: Status['control']) {
  if (retrying > 0 || dead > 0 || causes.length !== 1) return undefined;
  return gates.find(({ dependency }) =>
    causeName(causes[0] ?? '').startsWith(`gate:${dependency}`),
  );
}

/** States that do not end by themselves, unless the broker or the destination is reachable again. */
const AWAY = ['bus_away', 'failing', 'blocked'];

function awaySources({ sources }: Status): Problem[] {
  const texts = [...sources].flatMap(([name, { state, lastError }]) => {
    const why = lastError === undefined ? '' : `: ${lastError}`;
    return AWAY.includes(state) ? [`The source ${name} takes no events (${state})${why}`] : [];
  });
  return few(problems('source', 'bad', texts), 'source', 'sources');
}

function forced({ control }: Status): Problem[] {
  const texts = control.breakers.flatMap(({ dependency, state, forced: by }) => {
    if (by === undefined) return [];
    return [`The breaker of ${dependency} is forced ${state}, ${whoText(by, control.nowMs)}`];
  });
  return few(problems('breaker_forced', 'note', texts), 'forced breaker', 'forced breakers');
}

function paused({ control }: Status): Problem[] {
  const texts = control.pauses.map(
    (pause) => `The ${pause.scope} ${pause.name} is paused, ${whoText(pause, control.nowMs)}`,
  );
  return few(problems('paused', 'note', texts), 'pause', 'pauses');
}

function held({ control }: Status): Problem[] {
  const texts = control.parked.flatMap(({ cause, held: by, count, bounded }) => {
    if (by === undefined) return [];
    const why = by.why === undefined ? '' : `: ${by.why}`;
    return [`${causeName(cause)} is held by ${by.by}${why}: ${countText(count, bounded)} parked`];
  });
  return few(problems('held', 'note', texts), 'held cause', 'held causes');
}

/** Closed gates without parked jobs: the others are part of their failure. */
function rateLimited({ control, failing }: Status): Problem[] {
  const listed = failing.failures.flatMap(({ causes }) => causes.map(causeName));
  const texts = control.gates
    .filter(({ dependency }) => !listed.some((cause) => cause.startsWith(`gate:${dependency}`)))
    .map(({ dependency, untilMs }) => {
      const opens = formatAge(untilMs, control.nowMs);
      return `${dependency} is rate-limited; its gate opens ${opens}`;
    });
  return few(problems('rate_limited', 'note', texts), 'closed gate', 'closed gates');
}

/** Dead letters of causes that are not listed as failing now. They may be as new: only some causes are listed. */
function otherDead({ dead, failing }: Status): Problem[] {
  const active = failing.failures.reduce((sum, failure) => sum + failure.dead, 0);
  const count = dead.count - active;
  if (count <= 0) return [];
  const newest =
    dead.newestMs === undefined ? '' : `; the newest died ${ageText(dead.newestMs, failing.nowMs)}`;
  const letters = count === 1 ? 'dead letter waits' : 'dead letters wait';
  const other = active > 0 ? ' other' : '';
  const end = active > 0 ? '' : newest;
  const text = `${countText(count, dead.bounded)}${other} ${letters} for a decision${end}`;
  return [{ kind: 'dead_letters', level: 'note', text }];
}

function problems(
  kind: Problem['kind'],
  level: Problem['level'],
  texts: readonly string[],
): Problem[] {
  return texts.map((text) => ({ kind, level, text }));
}

/** @param isCut whether there are more than `all`. */
function few(all: readonly Problem[], one: string, many: string, isCut = false): Problem[] {
  const [first] = all;
  const rest = all.length - MAX_OF_KIND;
  if (first === undefined || rest <= 0) return [...all];
  const noun = rest === 1 && !isCut ? one : many;
  const more = { ...first, text: `and ${countText(rest, isCut)} more ${noun}` };
  return [...all.slice(0, MAX_OF_KIND), more];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The verdict in one sentence: that all is well, or the most urgent problem. */
export function verdictOf(status: Status, [first]: readonly Problem[]): string {
  return first?.text ?? fineText(status);
}

/** Everything is well. */
function fineText({ counts, live }: Status): string {
  if (counts.groups.length === 0) return 'Fine: there are no jobs yet.';
  const count = live.workers.length;
  const work =
    count === 0 ? 'no worker is running' : `${count} ${count === 1 ? 'worker' : 'workers'}`;
  const { leased } = countStates(counts);
  const running = leased === 0 ? '' : `, ${leased} running`;
  return `Fine: no job is failing, nothing is stopped; ${work}${running}.`;
}
