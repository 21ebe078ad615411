import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actOnCourse } from './course-acts.ts';
import { courseAnswer } from './course-answer.ts';
import {
  countKnown,
  enterStage,
  hearOfItems,
  type ItemStanding,
  sendItems,
} from './course-news.ts';
import { isUndecided, KNOWN_TO_ALL_MS, type OperationCourse } from './operation-course.ts';
import { RAMP } from './ramp.ts';
import { openPace } from './release-pace.ts';

const BEGUN: OperationCourse = {
  state: 'running',
  sinceMs: 0,
  by: 'eve',
  underWay: [],
  sentAt: 1,
  held: [],
  again: [],
  succeeded: 0,
  cameBack: 0,
};
const RAMPED: OperationCourse = {
  ...BEGUN,
  maxInFlight: 50,
  ramp: { plan: RAMP, at: { stage: 0, sent: 0, succeeded: 0, cameBack: 0 } },
};

interface Job extends ItemStanding {
  /** How often it was acted on. */
  readonly acts: number;
}

/** A store with jobs and one operation on all of them, and processes that may end at any place. */
class World {
  readonly jobs = new Map<string, Job>();
  readonly #names: readonly string[];
  readonly #fails: (name: string) => boolean;
  readonly #attemptsLeft: boolean;
  course: OperationCourse;
  revision = 1;
  cursor = 0;
  nowMs = 0;
  mostUnderWay = 0;

  constructor(
    course: OperationCourse,
    count: number,
    fails: (name: string) => boolean,
    attemptsLeft = false,
  ) {
    this.course = course;
    this.#names = Array.from({ length: count }, (_, n) => `job-${n}`);
    this.#fails = fails;
    this.#attemptsLeft = attemptsLeft;
    for (const id of this.#names) {
      this.jobs.set(id, { id, generation: 1, end: 'failed', held: false, failed: 1, acts: 0 });
    }
  }

  get acted(): number {
    return [...this.jobs.values()].reduce((sum, { acts }) => sum + acts, 0);
  }

  /** One round of whoever carries it out. `crash`: ends between the note and the act. Answers what it did. */
  round(crash: boolean, atMost = 20): string {
    const known = countKnown(this.course, this.nowMs);
    const { pending, parked, course } = hearOfItems(known, this.jobs, this.revision);
    this.course = course;
    if (this.nowMs >= (course.knownAtMs ?? 0)) {
      for (const { id } of parked) this.#change(id, { held: false });
    }
    const more = this.cursor < this.#names.length;
    const answer = courseAnswer(course, { more, pending, atMost, nowMs: this.nowMs });
    if (answer.kind === 'next') this.#enter(answer.stage);
    if (answer.kind === 'stop') this.course = { ...course, state: 'stopped' };
    if (answer.kind === 'finish') this.course = { ...course, state: 'finished' };
    if (answer.kind === 'send')
      this.#send({ ...course, pace: answer.pace }, answer.items, pending > 0, crash);
    this.mostUnderWay = Math.max(this.mostUnderWay, this.course.underWay.length);
    return answer.kind;
  }

  /** Attempts of what is ready end. */
  work(atMost: number): void {
    const ready = [...this.jobs.values()].filter(({ end, held }) => end === undefined && !held);
    for (const { id, failed } of ready.slice(0, atMost)) {
      if (!this.#fails(id)) this.#change(id, { end: 'succeeded' });
      else if (this.#attemptsLeft && isUndecided(this.course)) {
        this.#change(id, { held: true, failed: failed + 1 });
      } else this.#change(id, { end: 'failed', failed: failed + 1 });
    }
  }

  #enter(stage: number): void {
    this.course = enterStage(this.course, stage);
    if (isUndecided(this.course)) return;
    for (const { id } of this.jobs.values()) this.#change(id, { held: false });
  }

  #send(course: OperationCourse, count: number, pending: boolean, crash: boolean): void {
    if (course.again.length > 0 && !pending) {
      this.course = sendItems(course, course.again.slice(0, count), this.revision);
      return;
    }
    const page = this.#names.slice(this.cursor, this.cursor + count);
    const items = page.map((id) => ({ id, generation: 2 }));
    const sent = sendItems(course, items, this.revision);
    this.course = sent;
    if (crash || (sent !== course && isUndecided(sent))) return;
    for (const id of page) {
      const acts = (this.jobs.get(id)?.acts ?? 0) + 1;
      this.#change(id, { generation: 2, end: undefined, failed: 0, acts });
    }
    this.cursor += page.length;
    this.revision += 1;
  }

  #change(id: string, change: Partial<Job>): void {
    const job = this.jobs.get(id);
    if (job !== undefined) this.jobs.set(id, { ...job, ...change });
  }
}

/** Until it rests. */
function carryOut(world: World, crashes: readonly boolean[] = []): string {
  for (let turn = 0; turn < 20_000; turn += 1) {
    const did = world.round(crashes[turn % Math.max(1, crashes.length)] ?? false);
    if (did === 'rest') return world.course.state;
    world.work(30);
    world.nowMs += 100;
  }
  throw new Error('it never rests');
}

const crashes = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 12 })
  .filter((all) => all.includes(false));

describe('a course', () => {
  it('acts on each item once, whoever ends in the middle, and never has more in flight than it may', () => {
    fc.assert(
      fc.property(
        fc.nat(400),
        fc.integer({ min: 1, max: 60 }),
        crashes,
        (count, maxInFlight, when) => {
          const world = new World({ ...RAMPED, maxInFlight }, count, () => false);
          expect(carryOut(world, when)).toBe('finished');
          expect([...world.jobs.values()].every(({ acts }) => acts === 1)).toBe(true);
          expect(world.mostUnderWay).toBeLessThanOrEqual(maxInFlight);
          expect([world.course.succeeded, world.course.cameBack]).toEqual([count, 0]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('wastes one attempt when the cause is still there, and all of them without a ramp', () => {
    const ramped = new World(RAMPED, 10_000, () => true);
    expect(carryOut(ramped)).toBe('stopped');
    expect(ramped.acted).toBe(1);
    const all = new World({ ...BEGUN, maxInFlight: 1_000 }, 10_000, () => true);
    expect(carryOut(all)).toBe('finished');
    expect(all.acted).toBe(10_000);
    expect(all.course.cameBack).toBe(10_000);
  });

  it('wastes no more than eleven when some of the first go well', () => {
    const share = fc.integer({ min: 3, max: 10 });
    fc.assert(
      fc.property(share, fc.boolean(), crashes, (tenths, attemptsLeft, when) => {
        const fails = (name: string) => name !== 'job-0' && Number(name.slice(4)) % 10 < tenths;
        const world = new World(RAMPED, 1_000, fails, attemptsLeft);
        expect(carryOut(world, when)).toBe('stopped');
        expect(world.acted).toBeLessThanOrEqual(11);
      }),
      { numRuns: 30 },
    );
  });

  it('holds what came back until the ramp is decided, and begins with it when somebody resumes it', () => {
    let isDown = true;
    const world = new World(RAMPED, 200, () => isDown, true);
    expect(carryOut(world)).toBe('stopped');
    expect(world.course.held).toEqual([{ id: 'job-0', generation: 2, failed: 1 }]);
    isDown = false;
    const resumed = actOnCourse(world.course, { kind: 'resume' }, { by: 'eve' }, world.nowMs);
    world.course = resumed ?? world.course;
    expect(world.course.again).toHaveLength(1);
    world.round(false);
    expect(world.course.underWay).toEqual([{ id: 'job-0', generation: 2, failed: 1 }]);
    expect(carryOut(world)).toBe('finished');
    expect(
      [...world.jobs.values()].every(({ acts, end }) => acts === 1 && end === 'succeeded'),
    ).toBe(true);
  });

  it('lets nothing of an undecided ramp go before every process can know of it', () => {
    const world = new World(RAMPED, 5, () => false);
    world.round(false);
    expect(world.acted).toBe(0);
    // That write took long: only when it is over, somebody can know of it.
    world.nowMs = 5_000;
    expect(world.round(false)).toBe('wait');
    world.nowMs += KNOWN_TO_ALL_MS - 1;
    expect(world.round(false)).toBe('wait');
    world.nowMs += 1;
    world.round(false);
    expect(world.acted).toBe(1);
  });

  it('counts anew when the clock was set back', () => {
    const world = new World(RAMPED, 5, () => false);
    world.round(false);
    expect(world.round(false)).toBe('wait');
    world.nowMs -= 3_600_000;
    expect(world.round(false)).toBe('wait');
    world.nowMs += KNOWN_TO_ALL_MS;
    world.round(false);
    expect(world.acted).toBe(1);
  });

  it('keeps to its rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (rate, turns) => {
          const world = new World({ ...BEGUN, pace: openPace(0, rate) }, 10_000, () => false);
          for (let turn = 0; turn < turns; turn += 1) {
            world.round(false, 1_000);
            world.nowMs += 100;
          }
          expect(world.acted).toBeLessThanOrEqual(1 + (rate * world.nowMs) / 1_000);
          expect(world.acted).toBeGreaterThanOrEqual(Math.floor((rate * (turns - 1)) / 10) - 1);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('waits where it has no room and nothing has ended', () => {
    const world = new World({ ...BEGUN, maxInFlight: 3 }, 10, () => false);
    expect([world.round(false), world.round(false), world.round(false)]).toEqual([
      'send',
      'wait',
      'wait',
    ]);
    expect(world.acted).toBe(3);
  });
});

describe('items', () => {
  const standing = { id: 'a', generation: 2, held: false, failed: 0 };
  const sent: OperationCourse = {
    ...RAMPED,
    ...sendItems(RAMPED, [{ id: 'a', generation: 2 }], 1),
  };
  const hear = (now: Partial<ItemStanding>, revision = 2) =>
    hearOfItems(sent, new Map([['a', { ...standing, ...now }]]), revision);

  it.each<[string, Partial<ItemStanding>, object]>([
    ['succeeded', { end: 'succeeded' }, { succeeded: 1, cameBack: 0, sent: 1 }],
    ['died again', { end: 'failed' }, { succeeded: 0, cameBack: 1, sent: 1 }],
    ['failed an attempt', { failed: 1 }, { succeeded: 0, cameBack: 1, sent: 1 }],
    ['was sent again by somebody', { generation: 3 }, { succeeded: 0, cameBack: 1, sent: 1 }],
    ['was cancelled', { end: 'other' }, { succeeded: 0, cameBack: 0, sent: 0 }],
    ['refused', { generation: 1, end: 'failed' }, { succeeded: 0, cameBack: 0, sent: 0 }],
  ])('one that %s is known', (_, now, at) => {
    const { course } = hear(now);
    expect(course.underWay).toEqual([]);
    expect(course.ramp?.at).toMatchObject(at);
  });

  it('one that is not there any more leaves its place to another', () => {
    const { course } = hearOfItems(sent, new Map(), 2);
    expect(course.ramp?.at.sent).toBe(0);
  });

  it('one that was written down and not acted on is pending', () => {
    expect(hear({ generation: 1, end: 'failed' }, 1)).toMatchObject({ pending: 1, course: sent });
  });

  it('a decided ramp has patience with an attempt that failed', () => {
    const decided = enterStage(sent, 3);
    const { course } = hearOfItems(decided, new Map([['a', { ...standing, failed: 1 }]]), 2);
    expect(course.underWay).toHaveLength(1);
  });
});

describe('what operators want', () => {
  const eve = { by: 'eve', why: 'lunch' };
  const act = (course: OperationCourse, kind: 'pause' | 'resume' | 'abort') =>
    actOnCourse(course, { kind }, eve, 7);

  it('pauses and resumes, and says who and since when', () => {
    const paused = act(RAMPED, 'pause');
    expect(paused).toMatchObject({ state: 'paused', by: 'eve', why: 'lunch', sinceMs: 7 });
    expect(paused && act(paused, 'resume')).toMatchObject({ state: 'running', ramp: RAMPED.ramp });
    expect(act(RAMPED, 'resume')).toBe(RAMPED);
  });

  it('aborts, and then nothing more', () => {
    const aborted = act({ ...RAMPED, held: [{ id: 'a', generation: 2 }] }, 'abort');
    expect(aborted).toMatchObject({ state: 'aborted', held: [], underWay: [] });
    if (aborted === undefined) throw new Error('it was running');
    expect(act(aborted, 'abort')).toBe(aborted);
    expect([act(aborted, 'resume'), act({ ...RAMPED, state: 'finished' }, 'abort')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('gives another rate, or none', () => {
    const rated = actOnCourse(RAMPED, { kind: 'rate', perSecond: 5 }, eve, 7);
    expect(rated?.pace?.perSecond).toBe(5);
    expect(rated && actOnCourse(rated, { kind: 'rate' }, eve, 8)?.pace).toBeUndefined();
  });
});
