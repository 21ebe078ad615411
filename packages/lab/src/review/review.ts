import { type Outage, outageAt, worldsOf } from '../backtest/world.ts';
import { exponential, logarithm } from '../chance/arithmetic.ts';
import type { Attempts } from '../recording/attempts.ts';
import {
  BUSY_FACTOR,
  EARLY_SHARE,
  FINDING_RULES,
  type FindingCode,
  MANY_RETRIES,
  MIN_BUSIEST,
  MIN_SESSIONS,
} from './finding-rules.ts';
import { coursesOf, type Outages, type SessionCourse, type Trials } from './session-courses.ts';

/** Sessions of one policy and category. */
export interface ReviewRow {
  readonly policy: string;
  /** `null`: they have none. */
  readonly category: string | null;
  readonly sessions: number;
  readonly attempts: number;
  readonly success_rate: number;
  readonly average_attempts: number;
  /** Share of sessions that succeeded at attempt 1, 2, …, up to 10. */
  readonly succeeded_at: readonly number[];
}

export interface Finding {
  readonly code: FindingCode;
  readonly policy: string;
  /** In a sentence, with its number. */
  readonly figure: string;
  readonly value: number;
  /** Sessions that it rests on. */
  readonly sessions: number;
  /** Names of three of them; hashes where the attempts are from a recording. */
  readonly examples: readonly string[];
  readonly next: string;
}

/** A finding that the recording can neither show nor rule out. */
export interface Undecided {
  readonly code: FindingCode;
  readonly policy: string;
  /** In a sentence: what cannot be told, and why. */
  readonly figure: string;
  /** Sessions of which it cannot be told. */
  readonly sessions: number;
}

export interface Review {
  readonly rows: readonly ReviewRow[];
  readonly findings: readonly Finding[];
  readonly undecided: readonly Undecided[];
}

const MAX_NUMBER = 10;

/**
 * Reviews the policies of a recording: seed A's table, then findings, the rules of which are `FINDING_RULES`.
 *
 * @param filePolicies ids of the file's own policies, for `unused_policy`.
 */
export function review(attempts: Attempts, filePolicies: readonly string[] = []): Review {
  // Only the outages: the rest of a world would be kept as long as they are.
  const outages = new Map(worldsOf(attempts).map((world) => [world.dependency, world.outages]));
  const { courses: all, atOnce, trials } = coursesOf(attempts, outages);
  const policyOf = (group: number) => attempts.groups[group]?.policy ?? '';
  const byPolicy = Map.groupBy(all, ({ group }) => policyOf(group));
  for (const group of atOnce.keys())
    if (!byPolicy.has(policyOf(group))) byPolicy.set(policyOf(group), []);
  const input = { attempts, outages, trials };
  const findings = [...byPolicy].flatMap(([policy, courses]) =>
    [neverRecovers, wastedAttempts, givesUpEarly].flatMap((rule) => rule(input, policy, courses)),
  );
  const undecided = [...byPolicy].flatMap(([policy, courses]) =>
    undecidedEarly(input, policy, courses),
  );
  return {
    rows: [...byPolicy].flatMap(([policy, courses]) => rowsOf(attempts, policy, courses, atOnce)),
    findings: [
      ...findings,
      ...hintsIgnored(attempts),
      ...synchronised(attempts),
      ...filePolicies
        .filter((id) => !byPolicy.has(id))
        .map((id) => finding('unused_policy', id, 'no session has it', 0, 0, [])),
    ],
    undecided,
  };
}

interface Input {
  readonly attempts: Attempts;
  readonly outages: Outages;
  readonly trials: ReadonlyMap<Outage, Trials>;
}

type Rule = (input: Input, policy: string, courses: readonly SessionCourse[]) => Finding[];

function finding(
  code: FindingCode,
  policy: string,
  figure: string,
  value: number,
  sessions: number,
  examples: readonly string[],
): Finding {
  const next = FINDING_RULES[code].next.replaceAll('ID', policy);
  return { code, policy, figure, value, sessions, examples: examples.slice(0, 3), next };
}

const namesOf = ({ attempts }: Pick<Input, 'attempts'>, courses: readonly SessionCourse[]) =>
  courses.slice(0, 3).map(({ session }) => attempts.nameOf(session));

function rowsOf(
  attempts: Attempts,
  policy: string,
  courses: readonly SessionCourse[],
  atOnce: ReadonlyMap<number, number>,
): ReviewRow[] {
  const categoryOf = (group: number) => attempts.groups[group]?.category ?? null;
  const byCategory = Map.groupBy(courses, ({ group }) => categoryOf(group));
  const counts = new Map<string | null, number>();
  for (const [group, count] of atOnce) {
    if (attempts.groups[group]?.policy !== policy) continue;
    counts.set(categoryOf(group), (counts.get(categoryOf(group)) ?? 0) + count);
  }
  return [...new Set([...counts.keys(), ...byCategory.keys()])].map((category) => {
    const own = byCategory.get(category) ?? [];
    const first = counts.get(category) ?? 0;
    const sessions = first + own.length;
    const total = own.reduce((sum, course) => sum + course.attempts, first);
    const most = Math.min(MAX_NUMBER, Math.max(1, lastSuccess(own)));
    const at = (number: number) =>
      own.filter((each) => each.succeededAt === number).length + (number === 1 ? first : 0);
    return {
      policy,
      category,
      sessions,
      attempts: total,
      success_rate: (first + own.filter(({ succeededAt }) => succeededAt > 0).length) / sessions,
      average_attempts: total / sessions,
      succeeded_at: Array.from({ length: most }, (_, number) => at(number + 1) / sessions),
    };
  });
}

/** The greatest number of an attempt that succeeded. Sessions may be too many for the arguments of `Math.max`. */
function lastSuccess(courses: readonly SessionCourse[]): number {
  return courses.reduce((most, { succeededAt }) => Math.max(most, succeededAt), 0);
}

/** The least k after which no session recovered, if enough went on, and not all in one outage. */
const neverRecovers: Rule = (input, policy, courses) => {
  const after = Math.max(1, lastSuccess(courses));
  const beyond = courses.filter(({ attempts }) => attempts > after);
  const byOutage = Map.groupBy(beyond, ({ outage, session }) => outage ?? session);
  const largest = [...byOutage.values()].reduce((most, { length }) => Math.max(most, length), 0);
  if (beyond.length < MIN_SESSIONS || largest * 2 > beyond.length) return [];
  const bound = 1 - exponential(logarithm(0.05) / beyond.length);
  const figure = `attempts after number ${after} recovered 0 of ${beyond.length} sessions: ${(bound * 100).toFixed(1)} % at most`;
  return [finding('never_recovers', policy, figure, bound, beyond.length, namesOf(input, beyond))];
};

const wastedAttempts: Rule = (input, policy, courses) => {
  const byType = Map.groupBy(
    courses.filter(({ lastType, attempts }) => lastType !== undefined && attempts > 1),
    ({ lastType }) => lastType ?? '',
  );
  const ofTypes = [...byType].flatMap(([type, own]) => {
    const retries = own.reduce((sum, { retriesOfType }) => sum + retriesOfType, 0);
    const isSeen = own.filter(({ retriesOfType }) => retriesOfType > 0).length >= MIN_SESSIONS;
    // An outage may end later than everybody's patience: that says nothing about the type.
    const isOwn = own.filter(({ outage }) => outage === undefined).length * 2 > own.length;
    if (!isSeen || !isOwn || own.some(({ succeededAt }) => succeededAt > 0)) return [];
    const figure = `${retries} retries after ${type} recovered none of ${own.length} sessions`;
    return [finding('wasted_attempts', policy, figure, retries, own.length, namesOf(input, own))];
  });
  const down = courses.filter(({ retriesWhileDown }) => retriesWhileDown > 0);
  const retries = down.reduce((sum, { retriesWhileDown }) => sum + retriesWhileDown, 0);
  if (down.length < MIN_SESSIONS || retries < MANY_RETRIES * down.length) return ofTypes;
  const figure = `${retries} retries of ${down.length} sessions at a dependency that was down for all: ${(retries / down.length).toFixed(1)} each`;
  return [
    ...ofTypes,
    finding('wasted_attempts', policy, figure, retries, down.length, namesOf(input, down)),
  ];
};

const givesUpEarly: Rule = (input, policy, courses) => {
  const dead = deadLetters(courses);
  if (dead.length < MIN_SESSIONS) return [];
  const early = dead.filter((course) => fateOf(input, course) === 'early');
  const share = early.length / dead.length;
  if (share < EARLY_SHARE) return [];
  const figure = `${early.length} of ${dead.length} dead letters would have succeeded with one more wait, or did when requeued`;
  return [finding('gives_up_early', policy, figure, share, dead.length, namesOf(input, early))];
};

/** Dead letters of which it cannot be told whether one more wait would have been enough. */
function undecidedEarly(
  input: Input,
  policy: string,
  courses: readonly SessionCourse[],
): Undecided[] {
  const dead = deadLetters(courses);
  const untold = dead.filter((course) => fateOf(input, course) === 'unknown').length;
  if (dead.length < MIN_SESSIONS || untold < EARLY_SHARE * dead.length) return [];
  const figure = `cannot tell whether ${untold} of ${dead.length} dead letters would have succeeded with one more wait: no session that failed at the same time has tried again and succeeded`;
  return [{ code: 'gives_up_early', policy, figure, sessions: untold }];
}

function deadLetters(courses: readonly SessionCourse[]): readonly SessionCourse[] {
  return courses.filter(({ isExhausted, succeededAt }) => isExhausted && succeededAt === 0);
}

/**
 * Whether a session was given up shortly before it would have succeeded. Sessions that always fail also fail one after
 * the other: only sessions that failed, tried again and succeeded show that an outage was the cause, and that it ended.
 */
function fateOf(input: Input, course: SessionCourse): 'early' | 'late' | 'unknown' {
  if (course.requeuedWell) return 'early';
  const own = input.outages.get(input.attempts.groups[course.group]?.dependency ?? '') ?? [];
  const outage = outageAt(own, course.lastMs);
  if (outage === undefined) return 'late';
  const { recovered, failed } = input.trials.get(outage) ?? { recovered: 0, failed: 0 };
  // Most of those that tried again failed again: their failures were their own.
  if (failed > 0 && recovered <= failed) return 'late';
  if (recovered === 0) return 'unknown';
  return outage.toMs - course.lastMs <= (course.givenUpWaitMs ?? 0) ? 'early' : 'late';
}

function hintsIgnored(attempts: Attempts): Finding[] {
  const until = new Map<string, { givenMs: number; atMs: number; session: number }>();
  const early = new Map<string, Set<number>>();
  const bare = new Map<string, Set<number>>();
  const add = (sets: Map<string, Set<number>>, policy: string, session: number) => {
    const own = sets.get(policy) ?? new Set();
    sets.set(policy, own.add(session));
  };
  for (let at = 0; at < attempts.size; at += 1) {
    const { dependency, policy } = attempts.groupOf(at);
    const one = attempts.at(at);
    if (one.outcome === 'not_run') continue;
    const { startMs = Number.NaN, endMs } = one;
    const hint = until.get(dependency);
    // An attempt that began before the hint was given could not obey it.
    const isWithin = hint !== undefined && startMs >= hint.givenMs && startMs < hint.atMs;
    if (isWithin && hint.session !== one.session) add(early, policy, one.session);
    if (one.errorClass !== 'rate_limited') continue;
    if (one.hintMs === undefined) add(bare, policy, one.session);
    else if (hint === undefined || endMs + one.hintMs > hint.atMs) {
      const atMs = endMs + one.hintMs;
      until.set(dependency, { givenMs: endMs, atMs, session: one.session });
    }
  }
  const texts = [
    [early, 'made an attempt while a hint to another session still ran'],
    [bare, 'got a rate_limited error without a hint'],
  ] as const;
  return texts.flatMap(([sets, text]) =>
    [...sets].flatMap(([policy, sessions]) => {
      if (sessions.size < MIN_SESSIONS) return [];
      const names = [...sessions].map((session) => attempts.nameOf(session)).filter(Boolean);
      const figure = `${sessions.size} sessions ${text}`;
      return [finding('hint_ignored', policy, figure, sessions.size, sessions.size, names)];
    }),
  );
}

function synchronised(attempts: Attempts): Finding[] {
  interface Busy {
    readonly seconds: Map<number, number>;
    readonly sessions: Set<number>;
  }
  const byPolicy = new Map<string, Busy>();
  /** Sessions of which no attempt has run: the next one is no retry. */
  const claimed = new Set<number>();
  for (let at = 0; at < attempts.size; at += 1) {
    const one = attempts.at(at);
    if (one.attempt === 1 && one.outcome === 'not_run') claimed.add(one.session);
    if (one.attempt === 1 || one.outcome === 'not_run' || claimed.delete(one.session)) continue;
    const { policy } = attempts.groupOf(at);
    const busy = byPolicy.get(policy) ?? { seconds: new Map(), sessions: new Set() };
    byPolicy.set(policy, busy);
    const second = Math.floor((one.startMs ?? one.endMs) / 1_000);
    busy.seconds.set(second, (busy.seconds.get(second) ?? 0) + 1);
    busy.sessions.add(one.session);
  }
  return [...byPolicy].flatMap(([policy, { seconds, sessions }]) => {
    const sorted = [...seconds.values()].sort((a, b) => a - b);
    const busiest = sorted.at(-1) ?? 0;
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const isMany = busiest >= MIN_BUSIEST && busiest > BUSY_FACTOR * median;
    if (!isMany || sessions.size < MIN_SESSIONS) return [];
    const names = [...sessions].map((session) => attempts.nameOf(session)).filter(Boolean);
    const figure = `the busiest second has ${busiest} retries, the median second ${median}`;
    return [
      finding('synchronised_retries', policy, figure, busiest / median, sessions.size, names),
    ];
  });
}
