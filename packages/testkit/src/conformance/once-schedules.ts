import type { OnceActor } from './once-actor.ts';

export { leaseActor, lookActor, type OnceActor } from './once-actor.ts';

export interface OnceSubject {
  actor(key: string): OnceActor;
  /** Lets every lease run out. */
  expire(): Promise<void>;
  /** How often the effect has happened under a key. */
  effects(key: string): Promise<number>;
}

export interface OnceCounts {
  readonly schedules: number;
  /** Schedules after which the effect had happened more than once. */
  readonly duplicated: readonly string[];
  /** Schedules after which it had not happened, although somebody came through to the end. */
  readonly lost: readonly string[];
}

/** Where an actor stops, and how. `through`: it does not. */
type Stop = { readonly after: number; readonly by: 'crash' | 'pause' } | 'through';

const STEPS = 3;

/**
 * Plays every order of a crash, a pause and a late retry: A stops after any of its steps by a crash or a pause, while
 * it is away its lease runs out or not, B tries again and comes through or stops in its middle too, paused actors wake
 * up in either order and go on as if nothing had happened, and in the end C comes late and goes through. 160 schedules,
 * each under a key of its own.
 */
export async function onceSchedules(subject: OnceSubject): Promise<OnceCounts> {
  const duplicated: string[] = [];
  const lost: string[] = [];
  let schedules = 0;
  for (const a of stops([0, 1, 2, 3])) {
    for (const expires of [false, true]) {
      for (const b of ['through', ...stops([1, 2])] satisfies Stop[]) {
        for (const first of ['A', 'B'] as const) {
          schedules += 1;
          const effects = await play(subject, `key-${schedules}`, { a, expires, b, first });
          const story = `A ${text(a)}, ${expires ? 'expired' : 'live'}, B ${text(b)}, ${first} wakes first`;
          if (effects > 1) duplicated.push(story);
          if (effects === 0) lost.push(story);
        }
      }
    }
  }
  return { schedules, duplicated, lost };
}

interface Schedule {
  readonly a: Stop;
  readonly expires: boolean;
  readonly b: Stop;
  readonly first: 'A' | 'B';
}

async function play(
  subject: OnceSubject,
  key: string,
  { a, expires, b, first }: Schedule,
): Promise<number> {
  const wakeA = await begin(subject.actor(key), a);
  if (expires) await subject.expire();
  const wakeB = await begin(subject.actor(key), b);
  for (const wake of first === 'A' ? [wakeA, wakeB] : [wakeB, wakeA]) await wake();
  await subject.expire();
  await begin(subject.actor(key), 'through');
  return subject.effects(key);
}

/** Takes the steps up to the stop. Answers how it goes on when it wakes up. */
async function begin(actor: OnceActor, stop: Stop): Promise<() => Promise<void>> {
  const until = stop === 'through' ? STEPS : stop.after;
  const hasMore = await takeSteps(actor, 0, until);
  if (stop !== 'through' && stop.by === 'crash') await actor.crash();
  else if (stop !== 'through' && hasMore) {
    return async () => {
      await takeSteps(actor, until, STEPS);
      await actor.crash();
    };
  } else await actor.crash();
  return async () => {};
}

async function takeSteps(actor: OnceActor, from: number, to: number): Promise<boolean> {
  for (const step of actor.steps.slice(from, to)) if (!(await step())) return false;
  return true;
}

function stops(after: readonly number[]): Stop[] {
  return after.flatMap((step) => (['crash', 'pause'] as const).map((by) => ({ after: step, by })));
}

function text(stop: Stop): string {
  return stop === 'through' ? stop : `${stop.by} after ${stop.after}`;
}
