import { SHIPPED_SCENES } from '@redrive/lab';
import { type Experiment, isWithin, runs } from './figure.ts';

/**
 * What `npm run parking` prints: the engine's own run, on workers and a store in virtual time, which takes minutes.
 * `half-hour.manual.test.ts` compares these numbers with it.
 */
export const ENGINE = { attempts: 33, allowed: 35, done99Ms: 174_693, unparkedAttempts: 355_981 };

const SCENE = SHIPPED_SCENES['outage-half-hour'];
const UNPARKED = { ...SCENE, callers: { ...SCENE.callers, parking: false } };

/** The half hour of `npm run parking`, beside the engine's own run. */
export const HALF_HOUR: Experiment = {
  name: 'half an hour',
  slow: true,
  run: () => {
    const [parked] = runs(SCENE, 1);
    const [unparked] = runs(UNPARKED, 1);
    const attempts = parked?.attemptsWhileDown ?? Infinity;
    const done99Ms = parked?.drained99AfterMs ?? Infinity;
    const storm = unparked?.attemptsWhileDown ?? 0;
    return [
      {
        experiment: 'half an hour',
        row: 'parked: attempts while down',
        expected: `${ENGINE.attempts}, at most ${ENGINE.allowed}`,
        measured: `${attempts}`,
        holds: attempts <= ENGINE.allowed && Math.abs(attempts - ENGINE.attempts) <= 5,
      },
      {
        experiment: 'half an hour',
        row: 'parked: 99 % done after',
        expected: `${(ENGINE.done99Ms / 1_000).toFixed(0)} s`,
        measured: `${(done99Ms / 1_000).toFixed(0)} s`,
        holds: isWithin(done99Ms, ENGINE.done99Ms, 0.1),
      },
      {
        experiment: 'half an hour',
        row: 'without parking: attempts while down',
        expected: ENGINE.unparkedAttempts.toLocaleString('en'),
        measured: storm.toLocaleString('en'),
        holds: storm > 300_000 && isWithin(storm, ENGINE.unparkedAttempts, 0.05),
      },
    ];
  },
};
