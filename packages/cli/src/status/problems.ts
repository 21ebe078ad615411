import type { Failure } from '@redrive/durable';
import { targetText } from '../kill/kill-target.ts';
import { causeName } from '../park/cause-name.ts';
import { countStates, countText } from '../store/job-counts.ts';
import { ageText, formatAge, spanText } from '../terminal/times.ts';
import { causeText, failureSizes, handlersText } from './failing-lines.ts';
import { isStopped, missingWorkers } from './missing-workers.ts';
import type { Status } from './read-status.ts';

/** One problem. `note`: nobody needs to act at once. */
export interface Problem {
  readonly kind:
    | 'kill_switch'
    | 'no_worker'
    | 'failing'
    | 'paused'
    | 'breaker_forced'
    | 'rate_limited'
    | 'held'
    | 'dead_letters';
  readonly level: 'bad' | 'note';
  readonly text: string;
}

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
    ...forced(status),
    ...paused(status),
    ...held(status),
    ...rateLimited(status),
    ...oldDead(status),
  ];
}

function killed({ control }: Status): Problem[] {
  const { killSwitches, nowMs } = control;
  return few(
    killSwitches.map((kill): Problem => {
      const { sinceMs, by, why } = kill;
      const reason = why === undefined ? '' : `: ${why}`;
      const what = capital(targetText(kill));
      const text = `${what} is stopped by a kill switch, ${ageText(sinceMs, nowMs)} by ${by}${reason}`;
      return { kind: 'kill_switch', level: 'bad', text };
    }),
    'kill switch',
    'kill switches',
  );
}

function withoutWorkers(status: Status): Problem[] {
  const { counts, live, control } = status;
  const { scheduled, ready, parked, leased } = countStates(
    counts,
    (group) => !isStopped(group, control),
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
      .map(([count, state]) => `${countText(count, counts.bounded)} ${state}`);
    const total = waiting === 1 ? 'job waits' : 'jobs wait';
    const text = `No worker is running, and ${countText(waiting, counts.bounded)} ${total}: ${parts.join(', ')}`;
    return [{ kind: 'no_worker', level: 'bad', text }];
  }
  return few(
    missingWorkers(status).map(({ handler, queues, ...jobs }): Problem => {
      const isKnown = live.workers.some(({ handlers }) => handlers.includes(handler));
      const where = isKnown ? ` in ${queues.join(', ')}` : '';
      const text = `${waitingText(jobs, counts.bounded)} of ${handler}${where}, and no worker that has it`;
      return { kind: 'no_worker', level: jobs.ready > 0 ? 'bad' : 'note', text };
    }),
    'handler without a worker',
    'handlers without a worker',
  );
}

/** `20 ready jobs`; without a ready one, the scheduled or parked jobs. */
function waitingText(
  { ready, scheduled, parked }: Record<'ready' | 'scheduled' | 'parked', number>,
  bounded: boolean,
): string {
  const [count, state] =
    ready > 0 ? [ready, 'ready'] : scheduled > 0 ? [scheduled, 'scheduled'] : [parked, 'parked'];
  return `${countText(count, bounded)} ${state} ${count === 1 ? 'job' : 'jobs'}`;
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
      const text = `${who} ${verb}${where} for ${spanText(forMs)}: ${sizes}. ${causeText(failure)}`;
      return { kind: 'failing', level: 'bad', text };
    }),
    'cause of failures',
    'causes of failures',
  );
}

/** The gate of jobs that wait for nothing else. */
function gateOf({ causes, retrying, dead }: Failure, { gates }: Status['control']) {
  if (retrying > 0 || dead > 0 || causes.length !== 1) return undefined;
  return gates.find(({ dependency }) =>
    causeName(causes[0] ?? '').startsWith(`gate:${dependency}`),
  );
}

function forced({ control }: Status): Problem[] {
  return few(
    control.breakers
      .filter((each) => each.forced !== undefined)
      .map(({ dependency, forced: by, state }): Problem => {
        const since = ageText(by?.sinceMs ?? 0, control.nowMs);
        const why = by?.why === undefined ? '' : `: ${by.why}`;
        const text = `The breaker of ${dependency} is forced ${state}, ${since} by ${by?.by}${why}`;
        return { kind: 'breaker_forced', level: 'note', text };
      }),
    'forced breaker',
    'forced breakers',
  );
}

function paused({ control }: Status): Problem[] {
  return few(
    control.pauses.map(({ scope, name, sinceMs, by, why }): Problem => {
      const reason = why === undefined ? '' : `: ${why}`;
      const text = `The ${scope} ${name} is paused, ${ageText(sinceMs, control.nowMs)} by ${by}${reason}`;
      return { kind: 'paused', level: 'note', text };
    }),
    'pause',
    'pauses',
  );
}

function held({ control }: Status): Problem[] {
  return few(
    control.parked
      .filter((park) => park.held !== undefined)
      .map((park): Problem => {
        const why = park.held?.why === undefined ? '' : `: ${park.held.why}`;
        const jobs = `${countText(park.count, park.bounded)} parked`;
        const text = `${causeName(park.cause)} is held by ${park.held?.by}${why}: ${jobs}`;
        return { kind: 'held', level: 'note', text };
      }),
    'held cause',
    'held causes',
  );
}

/** Closed gates without parked jobs: the others are part of their failure. */
function rateLimited({ control, failing }: Status): Problem[] {
  const told = failing.failures.flatMap(({ causes }) => causes.map(causeName));
  return few(
    control.gates
      .filter(({ dependency }) => !told.some((cause) => cause.startsWith(`gate:${dependency}`)))
      .map(({ dependency, untilMs }): Problem => {
        const text = `${dependency} is rate-limited; its gate opens ${formatAge(untilMs, control.nowMs)}`;
        return { kind: 'rate_limited', level: 'note', text };
      }),
    'closed gate',
    'closed gates',
  );
}

/** Dead letters whose cause fails no more. */
function oldDead({ dead, failing }: Status): Problem[] {
  const active = failing.failures.reduce((sum, failure) => sum + failure.dead, 0);
  const count = dead.count - active;
  if (count <= 0) return [];
  const newest =
    dead.newestMs === undefined ? '' : `; the newest died ${ageText(dead.newestMs, failing.nowMs)}`;
  const letters = count === 1 ? 'dead letter waits' : 'dead letters wait';
  const older = active > 0 ? ' older' : '';
  const end = active > 0 ? '' : newest;
  const text = `${countText(count, dead.bounded)}${older} ${letters} for a decision${end}`;
  return [{ kind: 'dead_letters', level: 'note', text }];
}

function few(problems: readonly Problem[], one: string, many: string): Problem[] {
  const [first] = problems;
  const rest = problems.length - MAX_OF_KIND;
  if (first === undefined || rest <= 0) return [...problems];
  const more = { ...first, text: `and ${rest} more ${rest === 1 ? one : many}` };
  return [...problems.slice(0, MAX_OF_KIND), more];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
