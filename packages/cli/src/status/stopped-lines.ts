import { commandText } from '@redrive/core/fields';
import type { ControlOverview, ParkedJobs } from '@redrive/durable/control';
import type { SharedBreaker } from '@redrive/durable/control/rules';
import {
  breakerViews,
  causeName,
  countText,
  gateViews,
  hasWorkerForParked,
  type Status,
  targetText,
  whoText,
} from '@redrive/durable/store';
import { errorText } from '../breaker/breaker-lines.ts';
import { releaseCommand } from '../kill/kill-switches.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { ageText, formatAge, formatDue } from '../terminal/times.ts';

/** Something that keeps jobs from starting, and the command that ends it or shows more. */
interface Stop {
  readonly text: string;
  readonly command: string;
}

/** Stops in the text; the commands of each kind list all. */
const MAX_ROWS = 15;

/** Every stop with who set it and why: kill switches, pauses, breakers, gates and held causes. */
export function stoppedLines(screen: Screen, status: Status): string[] {
  const { control, counts, live, failing } = status;
  const hasWorkers = hasWorkerForParked(counts, live);
  // The list of failing causes has their errors.
  const listed = failing.failures.map(({ dependency }) => dependency);
  const stops = [
    ...kills(control),
    ...pauses(control),
    ...breakers(control, hasWorkers, listed),
    ...gates(control),
    ...parks(control, hasWorkers),
  ];
  if (stops.length === 0) return [];
  const rest = stops.length - MAX_ROWS;
  return [
    '',
    screen.paint('yellow', 'Stopped:'),
    ...stops
      .slice(0, MAX_ROWS)
      .flatMap(({ text, command }) => [
        ...wrapWords(printable(text), screen.columns - 4, '  ').map((line) => `  ${line}`),
        `    ${screen.paint('cyan', printable(command))}`,
      ]),
    ...(rest > 0 ? [`  and ${rest} more; --json has all`] : []),
  ];
}

function kills({ killSwitches, nowMs }: ControlOverview): Stop[] {
  return killSwitches.map((kill) => {
    const running = kill.mode === 'interrupt' ? ', running attempts were interrupted' : '';
    return {
      text: `${targetText(kill)}: kill switch${running}, ${whoText(kill, nowMs)}`,
      command: releaseCommand(kill),
    };
  });
}

const RESUME = {
  queue: 'queues resume',
  handler: 'queues resume --handler',
  schedule: 'schedules resume',
} as const;

function pauses({ pauses: all, nowMs }: ControlOverview): Stop[] {
  return all.map((pause) => ({
    text: `the ${pause.scope} ${pause.name}: paused, ${whoText(pause, nowMs)}`,
    command: `redrive ${RESUME[pause.scope]} ${commandText`${pause.name}`}`,
  }));
}

function breakers(
  control: ControlOverview,
  hasWorkers: boolean,
  listed: readonly (string | undefined)[],
): Stop[] {
  const { nowMs } = control;
  return breakerViews(control)
    .filter(({ state, forced }) => state !== 'closed' || forced !== undefined)
    .map((view): Stop => {
      const { dependency, state, forced, breaker, nextProbeAtMs } = view;
      const parked = parkedText(view.parked, view.bounded);
      if (forced !== undefined) {
        return {
          text: `${dependency}: breaker forced ${state}${parked}, ${whoText(forced, nowMs)}`,
          command: commandText`redrive breakers reset ${dependency}`,
        };
      }
      const since = `breaker ${state.replace('_', '-')}, ${sinceText(breaker, nowMs)}`;
      const probe = !hasWorkers
        ? '; no worker is there to probe'
        : nextProbeAtMs === undefined
          ? '; a probe is under way'
          : `; next probe ${formatDue(nextProbeAtMs, nowMs)}`;
      const error =
        breaker.lastError === undefined || listed.includes(dependency)
          ? ''
          : `. ${errorText(breaker.lastError)}`;
      return {
        text: `${dependency}: ${since}${parked}${probe}${error}`,
        command: commandText`redrive breakers show ${dependency}`,
      };
    });
}

/** Each failed probe opens the breaker again, so the time of the last change is not that of the outage. */
function sinceText(
  { changedAtMs, probes }: Pick<SharedBreaker, 'changedAtMs' | 'probes'>,
  nowMs: number,
): string {
  const age = ageText(changedAtMs, nowMs);
  const failed = probes?.failed ?? 0;
  if (failed === 0) return age;
  return failed === 1 ? `1 probe failed, ${age}` : `${failed} probes failed, the last ${age}`;
}

function gates(control: ControlOverview): Stop[] {
  return gateViews(control).map((gate) => {
    const whose = [gate.credential, gate.tenant].filter((part) => part !== '').join(', ');
    const opens = formatAge(gate.untilMs, control.nowMs);
    const parked = parkedText(gate.parked, gate.bounded);
    return {
      text: `${gate.dependency}${whose && ` (${whose})`}: rate-limited by the dependency, opens ${opens}${parked}`,
      command: commandText`redrive gates release ${gate.dependency}`,
    };
  });
}

/** Held causes, and jobs whose cause is gone. The others stand with their breaker, gate or kill switch. */
function parks({ parked }: ControlOverview, hasWorkers: boolean): Stop[] {
  return parked.flatMap((park): Stop[] => {
    const cause = causeName(park.cause);
    const jobs = parkedText(park.count, park.bounded);
    if (park.held !== undefined) {
      const { by, why } = park.held;
      const text = `${cause}: held by ${by}${why === undefined ? '' : `, ${why}`}${jobs}`;
      return [{ text, command: commandText`redrive park release ${cause}` }];
    }
    if (park.count === 0) return [];
    const text = comingBack(park, hasWorkers);
    return text === undefined
      ? []
      : [{ text: `${cause}: ${text}${jobs}`, command: 'redrive park list' }];
  });
}

function comingBack(park: ParkedJobs, hasWorkers: boolean): string | undefined {
  const { waitsFor, perSecond } = park;
  if (waitsFor.kind === 'time') return 'each job waits for its own time';
  if (waitsFor.kind !== 'nothing') return undefined;
  if (!hasWorkers) return 'the cause is gone, and no worker is there to release the jobs';
  return perSecond === undefined ? 'being released' : `being released, ${rateText(perSecond)} now`;
}

function parkedText(count: number, bounded: boolean): string {
  return count === 0 ? '' : `, ${countText(count, bounded)} parked`;
}
