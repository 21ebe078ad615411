import { commandText } from '@redrive/core/fields';
import type { FullStore, Job } from '@redrive/durable';
import {
  type AttendedOverview,
  causeName,
  isCovered,
  isoTime,
  readOverview,
  targetText,
  unservedHandlers,
  wordOf,
} from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

export const STOPPED_BY = z.array(
  z.object({
    kind: z
      .enum(['kill_switch', 'pause', 'parked', 'no_worker'])
      .describe('parked: under an open breaker, a closed gate, or by an operator'),
    what: z.string().describe('what stops them, in words'),
    since: time().nullable().describe('since when; null: not known'),
    by: z.string().nullable().describe('who stopped them; null: no person'),
    why: z.string().nullable().describe('the reason that was given'),
    next: z.string().describe('the command that lets them start'),
  }),
);
export type StoppedBy = z.output<typeof STOPPED_BY>;
type Stop = StoppedBy[number];

/** Jobs that are looked at. */
const LOOKED_UP = 20;

/** Everything that keeps some of these jobs from starting, each once. It looks at the first twenty. */
export async function stoppedBy(
  store: FullStore,
  ids: readonly string[],
  counts: (job: Job) => boolean = () => true,
): Promise<StoppedBy> {
  const first = ids.slice(0, LOOKED_UP);
  if (first.length === 0) return [];
  const [overview, unserved, ...found] = await Promise.all([
    readOverview(store),
    unservedHandlers(store, first, counts),
    ...first.map((id) => store.job(id)),
  ]);
  const jobs = found.filter((job) => job !== undefined).filter(counts);
  const stops = jobs.flatMap((job) => stopsOf(job, overview));
  const byText = new Map([...stops, ...unserved.map(noWorker)].map((stop) => [stop.what, stop]));
  return [...byText.values()];
}

function stopsOf(job: Job, { killSwitches, pauses, parked }: AttendedOverview): Stop[] {
  const kills = killSwitches.filter((kill) => isCovered(kill, job));
  const paused = pauses.filter((pause) => isCovered(pause, job));
  const park = parked.find(({ cause }) => job.state === 'parked' && cause === job.cause);
  return [
    ...kills.map((kill): Stop => {
      const { scope, name, ...said } = kill;
      const next =
        scope === 'all'
          ? 'redrive kill release all'
          : commandText`redrive kill release ${wordOf(scope)} ${name ?? ''}`;
      return {
        kind: 'kill_switch',
        what: `a kill switch on ${targetText(kill)}`,
        ...saidOf(said),
        next,
      };
    }),
    ...paused.map(({ scope, name, ...said }): Stop => {
      const flag = scope === 'handler' ? ' --handler' : '';
      const next = `${commandText`redrive queues resume ${name}`}${flag}`;
      return {
        kind: 'pause',
        what: `the pause of the ${scope} ${name}`,
        ...saidOf(said),
        next,
      };
    }),
    ...(park === undefined || isEnding(park) ? [] : [parkStop(park)]),
  ];
}

type Park = AttendedOverview['parked'][number];

/** A kill switch is named itself, and jobs whose cause is gone are being released. */
function isEnding({ held, waitsFor: { kind } }: Park): boolean {
  return held === undefined && (kind === 'kill' || kind === 'nothing');
}

function parkStop({ cause, sinceMs, waitsFor, held }: Park): Stop {
  const name = causeName(cause);
  const { kind } = waitsFor;
  const what =
    held !== undefined
      ? `a hold on jobs parked under ${name}`
      : kind === 'breaker'
        ? `the open breaker of ${waitsFor.dependency}`
        : kind === 'gate'
          ? `the closed gate of ${waitsFor.dependency}`
          : `their cause ${name}`;
  return {
    ...{ kind: 'parked', what, since: isoTime(sinceMs) },
    ...{ by: held?.by ?? null, why: held?.why ?? null },
    next: commandText`redrive park release ${name}`,
  };
}

function noWorker(handler: string): Stop {
  return {
    ...{ kind: 'no_worker', what: `no live worker has ${handler}` },
    ...{ since: null, by: null, why: null, next: 'redrive start' },
  };
}

function saidOf({ sinceMs, by, why }: { sinceMs: number; by: string; why?: string | undefined }) {
  return { since: isoTime(sinceMs), by, why: why ?? null };
}
