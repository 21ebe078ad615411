import { CLOCK_JUMPS, clockJumps } from './faults/clock-jumps.ts';
import { CONTROL, control } from './faults/control.ts';
import { crashPoints, pointsOf } from './faults/crash-points.ts';
import { EXCESS, excess } from './faults/excess.ts';
import { KILL_AND_PAUSE, killAndPause } from './faults/kill-and-pause.ts';
import { KILL_STORM, killStorm } from './faults/kill-storm.ts';
import { POISON, poison } from './faults/poison.ts';
import { POWER_CUT, powerCut } from './faults/power-cut.ts';
import { SERVER_LOSS, serverLoss } from './faults/server-loss.ts';
import { STALL, stall } from './faults/stall.ts';
import { STARVATION, starvation } from './faults/starvation.ts';
import { STORE_TROUBLE, storeTrouble, TROUBLES } from './faults/store-trouble.ts';
import { SWEEP, sweep } from './faults/sweep.ts';
import type { Place, StoreKind } from './place.ts';
import type { Report } from './report.ts';

/** What the command line says. Absent: as the fault has it. */
export interface FaultOptions {
  readonly seed: number;
  readonly kills?: number | undefined;
  readonly jobs?: number | undefined;
  readonly fencing: boolean;
  readonly ledger: boolean;
}

export interface Fault {
  readonly name: string;
  readonly stores: readonly StoreKind[];
  /** In its full form. */
  run(place: Place, options: FaultOptions): Promise<Report>;
}

const BOTH: readonly StoreKind[] = ['sqlite', 'postgres'];

/** Everything that is done to break durable jobs, in the order in which it is done. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'kill-and-pause',
    stores: BOTH,
    run: (place, { seed, kills, jobs, fencing, ledger }) =>
      killAndPause(place, {
        ...KILL_AND_PAUSE,
        ledger,
        seed,
        kills: kills ?? KILL_AND_PAUSE.kills,
        jobs: jobs ?? KILL_AND_PAUSE.jobs,
        fencing,
        // Without fencing there must be something to find: a pause hits attempts that somebody else has taken over.
        longShare: fencing ? KILL_AND_PAUSE.longShare : 1,
      }),
  },
  {
    name: 'control',
    stores: BOTH,
    run: (place, { seed, kills, jobs, fencing, ledger }) =>
      control(place, {
        ...CONTROL,
        seed,
        kills: kills ?? CONTROL.kills,
        jobs: jobs ?? CONTROL.jobs,
        fencing,
        ledger,
      }),
  },
  {
    name: 'crash-points',
    stores: BOTH,
    run: (place, { seed, kills = 20 }) =>
      crashPoints(place, { seed, points: pointsOf(place.kind), times: kills }),
  },
  {
    name: 'power-cut',
    stores: ['sqlite'],
    run: (place, { seed, kills, jobs }) =>
      powerCut(place, {
        ...POWER_CUT,
        seed,
        images: kills ?? POWER_CUT.images,
        jobs: jobs ?? POWER_CUT.jobs,
      }),
  },
  ...(['sync error', 'disk full', 'locked', 'slow disk'] as const).map(
    (trouble): Fault => ({
      name: trouble.replace(' ', '-'),
      stores: BOTH.filter((kind) => TROUBLES[kind].includes(trouble)),
      run: (place, { seed, jobs = STORE_TROUBLE.jobs }) =>
        storeTrouble(place, { ...STORE_TROUBLE, seed, jobs, trouble }),
    }),
  ),
  {
    name: 'server-loss',
    stores: ['postgres'],
    run: (place, { seed, kills, jobs, fencing, ledger }) =>
      serverLoss(place, {
        ...SERVER_LOSS,
        ledger,
        seed,
        terminations: kills ?? SERVER_LOSS.terminations,
        jobs: jobs ?? SERVER_LOSS.jobs,
        fencing,
      }),
  },
  {
    name: 'stall',
    stores: BOTH,
    run: (place, { seed, jobs = STALL.jobs, fencing, ledger }) =>
      stall(place, { ...STALL, seed, jobs, fencing, ledger }),
  },
  {
    name: 'starvation',
    stores: BOTH,
    run: (place, { seed }) => starvation(place, { ...STARVATION, seed }),
  },
  {
    name: 'clock-jumps',
    stores: BOTH,
    run: (place, { seed, kills, jobs, fencing }) =>
      clockJumps(place, {
        ...CLOCK_JUMPS,
        seed,
        jumps: kills ?? CLOCK_JUMPS.jumps,
        jobs: jobs ?? CLOCK_JUMPS.jobs,
        fencing,
      }),
  },
  {
    name: 'poison',
    stores: BOTH,
    run: (place, { seed, jobs = POISON.jobs, fencing }) =>
      poison(place, { ...POISON, seed, jobs, fencing }),
  },
  {
    name: 'kill-storm',
    stores: BOTH,
    run: (place, { seed, kills = KILL_STORM.kills, jobs = KILL_STORM.jobs }) =>
      killStorm(place, { ...KILL_STORM, seed, kills, jobs }),
  },
  {
    name: 'excess',
    stores: BOTH,
    run: (place, { seed, kills = EXCESS.rounds }) =>
      excess(place, { ...EXCESS, seed, rounds: kills }),
  },
  {
    name: 'sweep',
    stores: BOTH,
    run: (place, { seed, kills = SWEEP.kills, jobs = SWEEP.documents, fencing }) =>
      sweep(place, { ...SWEEP, seed, kills, pauses: kills, documents: jobs, fencing }),
  },
];
