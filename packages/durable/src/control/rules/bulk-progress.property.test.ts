import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actOnBulk } from './bulk-acts.ts';
import { bulkAnswer } from './bulk-answer.ts';
import {
  type BulkProgress,
  countResults,
  enterStage,
  type ItemNow,
  noteSent,
} from './bulk-progress.ts';
import { NO_RESULTS, RAMP } from './ramp.ts';
import { openPace } from './release-pace.ts';

const BEGUN: BulkProgress = {
  state: 'running',
  changes: [{ to: 'running', atMs: 0, by: 'eve' }],
  underWay: [],
  sentAt: 1,
  succeeded: 0,
  cameBack: 0,
};
const RAMPED: BulkProgress = { ...BEGUN, maxInFlight: 50, ramp: { plan: RAMP, at: NO_RESULTS } };

interface Job extends ItemNow {
  /** How often it was acted on. */
  readonly acts: number;
  readonly attempts: number;
  readonly isOver: boolean;
}

/** A process that has written items down, and has not sent them. */
interface Sender {
  readonly page: readonly string[];
  readonly revision: number;
}

/** A store with jobs and one bulk operation on all of them, and processes that may be killed or late at any place. */
class World {
  readonly jobs = new Map<string, Job>();
  readonly #names: readonly string[];
  readonly #fails: (name: string, attempt: number) => boolean;
  readonly #maxAttempts: number;
  progress: BulkProgress;
  revision = 1;
  cursor = 0;
  nowMs = 0;
  mostUnderWay = 0;
  #late: Sender | undefined;

  constructor(
    progress: BulkProgress,
    count: number,
    fails: (name: string, attempt: number) => boolean,
    maxAttempts = 1,
  ) {
    this.progress = progress;
    this.#names = Array.from({ length: count }, (_, n) => `job-${n}`);
    this.#fails = fails;
    this.#maxAttempts = maxAttempts;
    const dead = { generation: 1, result: 'failed', acts: 0, attempts: 0, isOver: true } as const;
    for (const id of this.#names) this.jobs.set(id, dead);
  }

  get acted(): number {
    return [...this.jobs.values()].reduce((sum, { acts }) => sum + acts, 0);
  }

  /** One round of a process. `stops`: it writes the items down and is killed, or sends them late. Answers its step. */
  round(stops: boolean, atMost = 20): string {
    const counted = countResults(this.progress, this.jobs, this.revision);
    this.progress = counted.progress;
    if (counted.pending) {
      this.revision += 1;
      return 'skip';
    }
    const { progress } = counted;
    const more = this.cursor < this.#names.length;
    const answer = bulkAnswer(progress, { more, atMost, nowMs: this.nowMs });
    if (answer.kind === 'next') this.progress = enterStage(progress, answer.stage);
    if (answer.kind === 'stop') this.progress = { ...progress, state: 'stopped' };
    if (answer.kind === 'finish') this.progress = { ...progress, state: 'finished' };
    if (answer.kind === 'send') this.#send({ ...progress, pace: answer.pace }, answer.items, stops);
    this.mostUnderWay = Math.max(this.mostUnderWay, this.progress.underWay.length);
    return answer.kind;
  }

  /** The process that was late sends, unless another one has made a step since. */
  sendLate(): void {
    if (this.#late !== undefined) this.#step(this.#late);
    this.#late = undefined;
  }

  /** Jobs make an attempt. */
  work(atMost: number): void {
    const ready = [...this.jobs].filter(([, { isOver }]) => !isOver);
    for (const [id, { attempts, result }] of ready.slice(0, atMost)) {
      const hasFailed = this.#fails(id, attempts + 1);
      this.#change(id, {
        attempts: attempts + 1,
        isOver: !hasFailed || attempts + 1 >= this.#maxAttempts,
        result: result ?? (hasFailed ? 'failed' : 'succeeded'),
      });
    }
  }

  #send(progress: BulkProgress, count: number, stops: boolean): void {
    const page = this.#names.slice(this.cursor, this.cursor + count);
    const items = page.map((id) => ({ id, generation: 2 }));
    this.progress = noteSent(progress, items, this.revision);
    const sender = { page, revision: this.revision };
    if (stops) this.#late = sender;
    else this.#step(sender);
  }

  #step({ page, revision }: Sender): void {
    if (revision !== this.revision) return;
    for (const id of page) {
      const acts = (this.jobs.get(id)?.acts ?? 0) + 1;
      this.#change(id, { generation: 2, result: undefined, attempts: 0, isOver: false, acts });
    }
    this.cursor += page.length;
    this.revision += 1;
  }

  #change(id: string, change: Partial<Job>): void {
    const job = this.jobs.get(id);
    if (job !== undefined) this.jobs.set(id, { ...job, ...change });
  }
}

interface Disturbance {
  readonly stops: boolean;
  readonly isLate: boolean;
}

/** Until it rests. Each send meets the next disturbance. */
function carryOut(
  world: World,
  disturbances: readonly Disturbance[] = [],
  attemptsPerRound = 30,
): string {
  let sends = 0;
  for (let turn = 0; turn < 20_000; turn += 1) {
    const now = disturbances[sends % Math.max(1, disturbances.length)];
    const did = world.round(now?.stops ?? false);
    if (now?.isLate) world.sendLate();
    if (did === 'send') sends += 1;
    if (did === 'rest') return world.progress.state;
    world.work(attemptsPerRound);
    world.nowMs += 100;
  }
  throw new Error('it never rests');
}

const disturbances = fc
  .array(fc.record({ stops: fc.boolean(), isLate: fc.boolean() }), { minLength: 1, maxLength: 12 })
  .filter((all) => all.some(({ stops }) => !stops));

describe('a bulk operation', () => {
  it('acts on each item once, whichever process is killed or late, and never has more in flight than it may', () => {
    fc.assert(
      fc.property(
        fc.nat(400),
        fc.integer({ min: 1, max: 60 }),
        disturbances,
        (count, maxInFlight, when) => {
          const world = new World({ ...RAMPED, maxInFlight }, count, () => false);
          expect(carryOut(world, when)).toBe('finished');
          expect([...world.jobs.values()].every(({ acts }) => acts === 1)).toBe(true);
          expect(world.mostUnderWay).toBeLessThanOrEqual(maxInFlight);
          expect([world.progress.succeeded, world.progress.cameBack]).toEqual([count, 0]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('wastes one job when the cause is still there, and all of them without a ramp', () => {
    const ramped = new World(RAMPED, 10_000, () => true);
    expect(carryOut(ramped)).toBe('stopped');
    expect(ramped.acted).toBe(1);
    const all = new World({ ...BEGUN, maxInFlight: 1_000 }, 10_000, () => true);
    expect(carryOut(all)).toBe('finished');
    expect(all.acted).toBe(10_000);
    expect(all.progress.cameBack).toBe(10_000);
  });

  it('wastes no more than eleven when some of the first succeed', () => {
    const share = fc.integer({ min: 3, max: 10 });
    const maxAttempts = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(share, maxAttempts, disturbances, (tenths, attempts, when) => {
        const fails = (name: string) => name !== 'job-0' && Number(name.slice(4)) % 10 < tenths;
        const world = new World(RAMPED, 1_000, fails, attempts);
        expect(carryOut(world, when)).toBe('stopped');
        expect(world.acted).toBeLessThanOrEqual(11);
      }),
      { numRuns: 30 },
    );
  });

  it('counts the first result of each item, whatever becomes of it later and whenever it looks', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 2, max: 5 }), disturbances, (count, max, when) => {
        const plan = { ...RAMP, stopShare: 1 };
        const ramp = { plan, at: NO_RESULTS };
        // Each third job fails once, and succeeds with its second attempt.
        const fails = (name: string, attempt: number) =>
          attempt === 1 && Number(name.slice(4)) % 3 === 0;
        const world = new World({ ...RAMPED, ramp }, count, fails, max);
        expect(carryOut(world, when)).toBe('finished');
        const failed = Math.ceil(count / 3);
        expect([world.progress.succeeded, world.progress.cameBack]).toEqual([
          count - failed,
          failed,
        ]);
      }),
      { numRuns: 30 },
    );
  });

  it('lets items that failed go on with their own attempts, and begins with the next ones when it is resumed', () => {
    let isDown = true;
    const world = new World(RAMPED, 200, () => isDown, 3);
    expect(carryOut(world)).toBe('stopped');
    expect(world.acted).toBe(1);
    isDown = false;
    world.work(30);
    expect(world.jobs.get('job-0')).toMatchObject({ isOver: true, acts: 1 });
    const resumed = actOnBulk(world.progress, { kind: 'resume' }, { by: 'eve' }, world.nowMs);
    world.progress = resumed ?? world.progress;
    world.round(false);
    expect(world.progress.underWay).toEqual([{ id: 'job-1', generation: 2 }]);
    expect(carryOut(world)).toBe('finished');
    expect([...world.jobs.values()].every(({ acts, isOver }) => acts === 1 && isOver)).toBe(true);
    expect([world.progress.succeeded, world.progress.cameBack]).toEqual([199, 1]);
  });

  it('judges a ramp that was resumed by its own items only', () => {
    const world = new World(RAMPED, 500, (name) => Number(name.slice(4)) > 50 && world.nowMs < 9e5);
    expect(carryOut(world, [], 7)).toBe('stopped');
    expect(world.progress.ramp?.at.stage).toBe(2);
    expect(world.progress.underWay.length).toBeGreaterThan(0);
    world.nowMs = 9e5;
    const resumed = actOnBulk(world.progress, { kind: 'resume' }, { by: 'eve' }, world.nowMs);
    expect(resumed).toMatchObject({ state: 'running', underWay: [], ramp: { at: NO_RESULTS } });
    world.progress = resumed ?? world.progress;
    expect(carryOut(world)).toBe('finished');
    expect([...world.jobs.values()].every(({ acts }) => acts === 1)).toBe(true);
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
  const sent = noteSent(RAMPED, [{ id: 'a', generation: 2 }], 1);
  const look = (now: Partial<ItemNow>, revision = 2) =>
    countResults(sent, new Map([['a', { generation: 2, ...now }]]), revision);

  it.each<[string, Partial<ItemNow>, object]>([
    ['succeeded', { result: 'succeeded' }, { succeeded: 1, cameBack: 0, sent: 1 }],
    ['failed', { result: 'failed' }, { succeeded: 0, cameBack: 1, sent: 1 }],
    ['was sent again by somebody', { generation: 3 }, { succeeded: 0, cameBack: 1, sent: 1 }],
    ['was cancelled', { result: 'other' }, { succeeded: 0, cameBack: 0, sent: 0 }],
    ['refused', { generation: 1, result: 'failed' }, { succeeded: 0, cameBack: 0, sent: 0 }],
  ])('an item that %s has its result', (_, now, at) => {
    const { progress } = look(now);
    expect(progress.underWay).toEqual([]);
    expect(progress.ramp?.at).toMatchObject(at);
  });

  it('an item without a result, as a parked one, is awaited', () => {
    expect(look({})).toEqual({ progress: sent, pending: false });
  });

  it('an item that does not exist any more leaves its place to another', () => {
    expect(countResults(sent, new Map(), 2).progress.ramp?.at.sent).toBe(0);
  });

  it('an item that was written down and not sent is pending', () => {
    expect(look({ generation: 1, result: 'failed' }, 1)).toEqual({ progress: sent, pending: true });
  });

  it('an item that is named twice counts once', () => {
    expect(noteSent(sent, [{ id: 'a', generation: 2 }], 5)).toBe(sent);
    const b = { id: 'b', generation: 2 };
    expect(noteSent(sent, [b, b], 5)).toMatchObject({ sentAt: 5, ramp: { at: { sent: 2 } } });
  });
});

describe('an operator', () => {
  const eve = { by: 'eve', why: 'lunch' };
  const act = (progress: BulkProgress, kind: 'pause' | 'resume' | 'abort') =>
    actOnBulk(progress, { kind }, eve, 7);

  it('pauses and resumes, and says who and since when', () => {
    const paused = act(RAMPED, 'pause');
    expect(paused?.state).toBe('paused');
    const change = { to: 'paused', atMs: 7, by: 'eve', why: 'lunch' };
    expect(paused?.changes.at(-1)).toEqual(change);
    expect(paused && act(paused, 'resume')).toMatchObject({ state: 'running', ramp: RAMPED.ramp });
    expect(act(RAMPED, 'resume')).toBe(RAMPED);
  });

  it('aborts, and then nothing more', () => {
    const aborted = act({ ...RAMPED, underWay: [{ id: 'a', generation: 2 }] }, 'abort');
    expect(aborted).toMatchObject({ state: 'aborted', underWay: [] });
    if (aborted === undefined) throw new Error('it was running');
    expect(act(aborted, 'abort')).toBe(aborted);
    expect([act(aborted, 'resume'), act({ ...RAMPED, state: 'finished' }, 'abort')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('gives another rate, or none', () => {
    const rated = actOnBulk(RAMPED, { kind: 'rate', perSecond: 5 }, eve, 7);
    expect(rated?.pace?.perSecond).toBe(5);
    expect(rated && actOnBulk(rated, { kind: 'rate' }, eve, 8)?.pace).toBeUndefined();
  });
});
