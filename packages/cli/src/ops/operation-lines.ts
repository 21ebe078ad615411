import { commandText } from '@redrive/core/fields';
import { countText } from '@redrive/durable/store';
import type {
  OperationAnswer as Operation,
  operationDetails,
  StoppedBy,
} from '@redrive/operate/texts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { ageCell, type Cell, columns } from '../terminal/table.ts';
import { formatAge, formatDuration, formatTime, isDate } from '../terminal/times.ts';

type Details = ReturnType<typeof operationDetails>;

const COLOURS: Readonly<Record<Operation['state'], Colour>> = {
  running: 'green',
  paused: 'yellow',
  stopped: 'red',
  aborted: 'red',
  finished: 'dim',
};

export const OPERATION_COLUMNS = columns(
  'id:cyan | act | state:yellow | begun | done:right | failed again:right | why:shrinks',
);

export function operationRow(status: Operation, nowMs: number): Cell[] {
  return [
    status.id,
    status.act,
    { shown: isDeserted(status) ? 'running: no worker' : status.state, exact: status.state },
    ageCell(status.started_at, nowMs),
    { shown: doneText(status), exact: String(status.done) },
    status.followed ? cameBackText(status) : '',
    reasonOf(status),
  ];
}

/** All about one. `stops`: what keeps jobs in flight from starting. */
export function operationLines(
  screen: Screen,
  status: Details,
  nowMs: number,
  stops: StoppedBy = [],
): string[] {
  const { id, act, state, by, why, started_at, followed, rate } = status;
  const startedMs = Date.parse(started_at ?? '');
  const facts: [string, string][] = [
    ['begun', `${formatTime(startedMs)}, ${formatAge(startedMs, nowMs)}`],
    ['by', byText({ by, why })],
    ['what', requestText(status.request)],
    ['done', `${doneText(status)}${refusedText(status)}`],
    ['in flight', followed ? inFlightText(status) : ''],
    ...stops.map((stop): [string, string] => ['stopped by', stopText(stop)]),
    ['failed again', followed ? cameBackText(status) : ''],
    ['ramp', rampText(status)],
    ['rate', rate === null ? '' : `${rateText(rate)} at most`],
    ['time left', leftText(status)],
    ['runs in', runnerText(status)],
    ...status.changes.slice(1).map((change): [string, string] => {
      const at = Date.parse(change.at ?? '');
      return [change.to, `${formatTime(at)}, ${formatAge(at, nowMs)}, ${byText(change)}`];
    }),
  ];
  return [
    `${screen.paint('bold', printable(id))}  ${printable(act)} ${screen.paint(COLOURS[state], state)}`,
    ...facts.filter(([, text]) => text !== '').flatMap((fact) => factLines(screen, fact)),
  ];
}

function byText({ by, why }: Pick<Operation, 'by' | 'why'>): string {
  return why === null ? by : `${by}: ${why}`;
}

/** The newest reason. */
function reasonOf({ changes }: Operation): string {
  return changes.findLast(({ why }) => why !== null)?.why ?? '';
}

/** It continues as soon as a worker starts. */
function isDeserted({ state, in_background, runner, has_worker }: Operation): boolean {
  return state === 'running' && in_background && runner === null && has_worker === false;
}

function runnerText(status: Operation): string {
  const { state, runner, in_background: inBackground } = status;
  if (state !== 'running') return '';
  if (runner !== null) return runner;
  if (!inBackground)
    return 'no process: its payload or ids are not stored, so workers do not continue it';
  return isDeserted(status)
    ? 'no process: it waits for a worker, and none is alive'
    : 'no process yet: a worker begins with it soon';
}

const HEAD = 16;

function factLines(screen: Screen, [name, text]: readonly [string, string]): string[] {
  const lines = wrapWords(printable(text), screen.columns - HEAD);
  const heads = [`  ${name}`.padEnd(HEAD), ' '.repeat(HEAD)] as const;
  return lines.map((line, index) => screen.paint('dim', heads[index === 0 ? 0 : 1]) + line);
}

/** The next step of the operator. Absent: the operation is finished. */
export function nextStep(status: Operation): string | undefined {
  const { id, state, act, ramp } = status;
  switch (state) {
    case 'running':
      if (isDeserted(status))
        return `Workers carry out this bulk operation, and no worker is alive. To continue it, start a worker: redrive start. To end it: ${commandText`redrive ops abort ${id}`}`;
      return status.in_background || status.runner !== null
        ? undefined
        : `To continue: the same command with ${commandText`--operation ${id}`}. To end it: ${commandText`redrive ops abort ${id}`}`;
    case 'paused':
      return `To continue: ${commandText`redrive ops resume ${id}`}`;
    case 'stopped': {
      const share = ramp === null ? '' : ` (more than ${Math.round(ramp.stop_share * 100)} %)`;
      return `Too many jobs failed again${share}: the ${printable(act)} has stopped. "redrive dlq groups" shows the causes. Then: ${commandText`redrive ops resume ${id}`}, or ${commandText`redrive ops abort ${id}`}`;
    }
    default:
      return undefined;
  }
}

/** `4,812 of 10,000` */
export function doneText({ done: acted, total, total_bounded }: Operation): string {
  const done = acted.toLocaleString('en');
  return total === null ? done : `${done} of ${countText(total, total_bounded)}`;
}

/** The share of the jobs with a result that failed again, in percent. Absent: no job has a result. */
function cameBackPercent({ came_back: cameBack, succeeded }: Operation): number | undefined {
  const ended = cameBack + succeeded;
  return ended === 0 ? undefined : Math.round((cameBack * 100) / ended);
}

/** `3 %, 12 of 400` */
function cameBackText(status: Operation): string {
  const { came_back: cameBack, succeeded } = status;
  const percent = cameBackPercent(status);
  const ended = cameBack + succeeded;
  if (percent === undefined) return 'no result yet';
  return `${percent} %, ${cameBack.toLocaleString('en')} of ${ended.toLocaleString('en')}`;
}

export function leftText(status: Operation): string {
  const { state, time_left } = status;
  if (state !== 'running' || time_left === null || isDeserted(status)) return '';
  return formatDuration(time_left * 1_000);
}

/** What keeps jobs from starting: since when, by whom, and the command that lets them start. */
export function stopText({ what, since, by, why, next }: StoppedBy[number]): string {
  const when = since === null ? '' : ` since ${formatTime(Date.parse(since))}`;
  const who = by === null ? '' : `, ${byText({ by, why })}`;
  return `${printable(`${what}${when}${who}`)}. To let them start: ${printable(next)}`;
}

function refusedText({ refused }: Operation): string {
  return refused === 0 ? '' : `, ${refused.toLocaleString('en')} refused`;
}

function inFlightText({ in_flight, max_in_flight }: Operation): string {
  const count = in_flight.toLocaleString('en');
  return max_in_flight === null ? count : `${count} of ${max_in_flight.toLocaleString('en')}`;
}

function rampText({ ramp }: Operation): string {
  if (ramp === null) return '';
  const { stages, stage, sent, stop_share } = ramp;
  const names = [...stages.map((size) => size.toLocaleString('en')), 'all'];
  const at = names[Math.min(stage - 1, stages.length)];
  const stop = `stops when more than ${Math.round(stop_share * 100)} % fail again`;
  return `${names.join(', ')}; now ${at}, ${sent.toLocaleString('en')} sent; ${stop}`;
}

/** The target of an operation, in words: `dead letters with handler mail that died before …, at most 1,000`. */
export function requestText(request: Readonly<Record<string, unknown>>): string {
  if (!isKept(request)) return JSON.stringify(request);
  const { ids, filter, jobs, cutOffMs, limit } = request;
  if (ids !== undefined)
    return ids.count === 1 ? '1 job by its id' : `${ids.count} jobs by their ids`;
  const wishes = filter ?? jobs;
  if (wishes === undefined) return JSON.stringify(request);
  const noun = filter === undefined ? 'jobs' : 'dead letters';
  const parts = Object.entries(wishes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${[value].flat().join('/')}`);
  const which = parts.length === 0 ? `all ${noun}` : `${noun} with ${parts.join(', ')}`;
  const verb = filter === undefined ? 'were submitted' : 'died';
  const before = cutOffMs === undefined ? '' : ` that ${verb} before ${formatTime(cutOffMs)}`;
  return `${which}${before}${limit === undefined ? '' : `, at most ${limit.toLocaleString('en')}`}`;
}

/** Whether durable wrote the request. A caller that uses the store directly may have written any other JSON. */
function isKept(request: Readonly<Record<string, unknown>>): request is Partial<Kept> {
  const { ids, filter, jobs, cutOffMs, limit } = request;
  return (
    (ids === undefined || (isObject(ids) && typeof ids.count === 'number')) &&
    [filter, jobs].every((wishes) => wishes === undefined || isObject(wishes)) &&
    (cutOffMs === undefined || isTime(cutOffMs)) &&
    (limit === undefined || typeof limit === 'number')
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && isDate(value);
}

type Kept = {
  readonly ids: { readonly count: number };
  readonly filter: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, unknown>>;
  readonly cutOffMs: number;
  readonly limit: number;
};
