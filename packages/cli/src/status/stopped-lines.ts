import { commandText } from '@redrive/core/fields';
import { countText } from '@redrive/durable/store';
import { whoText } from '@redrive/operate/texts';
import { errorText, stateText } from '../breaker/breaker-lines.ts';
import { releaseCommand, stoppedText } from '../kill/kill-switches.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { ageText, formatAge, formatDue } from '../terminal/times.ts';
import type { Status } from './status.ts';

type Breaker = Status['breakers'][number];
type Park = Status['parked'][number];

/** Something that keeps jobs from starting, and the command that ends it or shows more. */
interface Stop {
  readonly text: string;
  readonly command: string;
}

/** Stops in the text; the commands of each kind list all. */
const MAX_ROWS = 15;

/** Every stop with who set it and why: kill switches, pauses, breakers, gates and held causes. */
export function stoppedLines(screen: Screen, status: Status, nowMs: number): string[] {
  // The list of failing causes has their errors.
  const listed = status.failing.map(({ dependency }) => dependency);
  const stops = [
    ...kills(status, nowMs),
    ...pauses(status, nowMs),
    ...status.breakers.map((breaker) =>
      breakerStop(breaker, nowMs, listed.includes(breaker.policy_id)),
    ),
    ...gates(status, nowMs),
    ...parks(status),
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

function kills({ kill_switches: all }: Status, nowMs: number): Stop[] {
  return all.map((kill) => {
    const running = kill.mode === 'interrupt' ? ', running attempts were interrupted' : '';
    return {
      text: `${stoppedText(kill)}: kill switch${running}, ${whoText(kill, nowMs)}`,
      command: releaseCommand(kill),
    };
  });
}

const RESUME = {
  queue: 'queues resume',
  handler: 'queues resume --handler',
  schedule: 'schedules resume',
} as const;

function pauses({ paused }: Status, nowMs: number): Stop[] {
  return paused.map((pause) => ({
    text: `the ${pause.scope} ${pause.name}: paused, ${whoText(pause, nowMs)}`,
    command: `redrive ${RESUME[pause.scope]} ${commandText`${pause.name}`}`,
  }));
}

/** @param isListed its error is in the list of causes that fail. */
function breakerStop(breaker: Breaker, nowMs: number, isListed: boolean): Stop {
  const { policy_id: dependency, forced, last_error: lastError, bounded } = breaker;
  const parked = parkedText(breaker.parked, bounded);
  if (forced !== null) {
    return {
      text: `${dependency}: breaker ${stateText(breaker)}${parked}, ${whoText(forced, nowMs)}`,
      command: commandText`redrive breakers reset ${dependency}`,
    };
  }
  const since = `breaker ${stateText(breaker)}, ${sinceText(breaker, nowMs)}`;
  const error = lastError === null || isListed ? '' : `. ${errorText(lastError)}`;
  return {
    text: `${dependency}: ${since}${parked}${probeText(breaker, nowMs)}${error}`,
    command: commandText`redrive breakers show ${dependency}`,
  };
}

function probeText({ probe, next_probe_at: at }: Breaker, nowMs: number): string {
  if (probe === 'no_worker') return '; no live worker can probe';
  return at === null
    ? '; a probe is under way'
    : `; next probe ${formatDue(Date.parse(at), nowMs)}`;
}

/** Each failed probe opens the breaker again, so the time of the last change is not that of the outage. */
function sinceText({ last_state_change, failed_probes: failed }: Breaker, nowMs: number): string {
  const age = ageText(Date.parse(last_state_change), nowMs);
  if (failed === 0) return age;
  return failed === 1 ? `1 probe failed, ${age}` : `${failed} probes failed, the last ${age}`;
}

function gates({ gates: all }: Status, nowMs: number): Stop[] {
  return all.map((gate) => {
    const whose = [gate.credential, gate.tenant].filter((part) => part !== null).join(', ');
    const opens = formatAge(Date.parse(gate.until), nowMs);
    const parked = parkedText(gate.parked, gate.bounded);
    return {
      text: `${gate.dependency}${whose && ` (${whose})`}: rate-limited by the dependency, opens ${opens}${parked}`,
      command: commandText`redrive gates release ${gate.dependency}`,
    };
  });
}

/** Held causes, and jobs whose cause is gone. The others stand with their breaker, gate or kill switch. */
function parks({ parked }: Status): Stop[] {
  return parked.flatMap((park): Stop[] => {
    const { cause, count, bounded, held_by: by, held_why: why } = park;
    const jobs = parkedText(count, bounded);
    if (by !== null) {
      const text = `${cause}: held by ${by}${why === null ? '' : `, ${why}`}${jobs}`;
      return [{ text, command: commandText`redrive park release ${cause}` }];
    }
    if (count === 0) return [];
    const text = comingBack(park);
    return text === undefined
      ? []
      : [{ text: `${cause}: ${text}${jobs}`, command: 'redrive park list' }];
  });
}

function comingBack({ waits_for, has_worker, pace }: Park): string | undefined {
  if (waits_for === 'time') return 'each job waits for its own time';
  if (waits_for !== 'nothing') return undefined;
  if (!has_worker) return 'the cause is gone, and no live worker can release the jobs';
  return pace === null ? 'being released' : `being released, ${rateText(pace)} now`;
}

function parkedText(count: number, bounded: boolean): string {
  return count === 0 ? '' : `, ${countText(count, bounded)} parked`;
}
