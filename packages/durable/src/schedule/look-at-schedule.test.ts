import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  documentAfter,
  HOLD_MS,
  LATE_MS,
  type LookInput,
  lookAtSchedule,
} from './look-at-schedule.ts';
import { lastTick, nextTick, type SchedulePlan } from './plan.ts';
import type { Schedule, ScheduleDocument } from './schedule.ts';
import { tickId } from './scheduled-job.ts';

const START = Date.parse('2026-10-24T12:00:00Z');
const job = { handler: 'report', queue: 'default', tenant: '', priority: 0, payload: '' };
const plans: fc.Arbitrary<SchedulePlan> = fc.oneof(
  fc.constantFrom(1_000, 7_000, 60_000, 3_600_000).map((everyMs) => ({ everyMs })),
  fc.constantFrom('*/5 * * * *', '30 2 * * *').map((cron) => ({ cron, timeZone: 'Europe/Berlin' })),
);
const schedules: fc.Arbitrary<Schedule> = fc.record({
  plan: plans,
  overlap: fc.constantFrom('skip', 'queue'),
  missed: fc.constantFrom('none', 'last'),
  job: fc.constant(job),
});

/** A store of one schedule: its document, the jobs that are kept, and every enqueue that was accepted. */
class Model {
  nowMs = START;
  document: ScheduleDocument | undefined;
  readonly kept = new Set<string>();
  readonly accepted: string[] = [];
  unfinished: string | undefined;
  readonly schedule: Schedule;
  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  look({ worker = 'a', isStopped = false, dies = false } = {}): void {
    const { schedule, document, nowMs } = this;
    const input: LookInput = { schedule, document, worker, nowMs, isStopped, isNew: false };
    const answer = lookAtSchedule(input);
    if (answer.kind === 'wait') return;
    const result =
      answer.kind === 'tick' && answer.enqueue ? this.enqueue(answer.tickMs) : undefined;
    if (!dies) this.document = documentAfter(input, answer, result);
  }

  enqueue(tickMs: number) {
    const id = tickId('s', tickMs);
    if (this.kept.has(id)) return { ok: false, refusal: 'duplicate_id', id } as const;
    if (this.schedule.overlap === 'skip' && this.unfinished !== undefined) {
      return { ok: true, id: this.unfinished, outcome: 'existing' } as const;
    }
    this.kept.add(id);
    this.accepted.push(id);
    this.unfinished = id;
    return { ok: true, id, outcome: 'created' } as const;
  }
}

const looks = fc.array(
  fc.record({
    forMs: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 7_200_000 }) },
    ),
    worker: fc.constantFrom('a', 'b', 'c'),
    isStopped: fc.boolean(),
    finishes: fc.boolean(),
    prunes: fc.boolean(),
  }),
  { maxLength: 60 },
);

test('every tick is accepted once at most, and enqueued, skipped or missed: also when jobs are pruned at once', () => {
  fc.assert(
    fc.property(schedules, looks, (schedule, steps) => {
      const model = new Model(schedule);
      model.look();
      for (const { forMs, worker, isStopped, finishes, prunes } of steps) {
        model.nowMs += forMs;
        model.look({ worker, isStopped });
        if (finishes) model.unfinished = undefined;
        if (finishes && prunes) model.kept.clear();
      }
      model.nowMs += HOLD_MS + 86_400_000 * 2;
      model.look({ worker: 'a' });
      expect(new Set(model.accepted).size).toBe(model.accepted.length);
      const { totals, cursorMs, last } = model.document as ScheduleDocument;
      const all = lastTick(schedule.plan, START, model.nowMs);
      expect(cursorMs).toBe(all?.tickMs);
      expect(totals.enqueued).toBe(model.accepted.length);
      // The cron expressions have more ticks in two days than are counted after a pause.
      if ('everyMs' in schedule.plan) {
        const sum = Object.values(totals).reduce((one, two) => one + two, 0);
        expect(sum).toBe(Number(all?.earlier) + 1);
      }
      if (schedule.missed === 'none' && 'everyMs' in schedule.plan === false) {
        expect(last?.result === 'missed' || model.nowMs - cursorMs <= LATE_MS).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('a worker that looks all the time misses nothing', () => {
  fc.assert(
    fc.property(schedules, fc.integer({ min: 1, max: 900 }), (schedule, everyMs) => {
      const model = new Model({ ...schedule, overlap: 'queue' });
      model.look();
      for (let n = 0; n < 300; n += 1) {
        model.nowMs += everyMs;
        model.look();
      }
      expect(model.document?.totals.missed).toBe(0);
      const first = nextTick(schedule.plan, START) ?? Infinity;
      expect(model.accepted.length > 0).toBe(first <= model.nowMs);
    }),
    { numRuns: 25 },
  );
});

test('a process that dies between the enqueue and the write: the tick has one job', () => {
  fc.assert(
    fc.property(schedules, fc.array(fc.boolean(), { maxLength: 30 }), (schedule, deaths) => {
      const model = new Model(schedule);
      model.look();
      for (const dies of deaths) {
        model.nowMs += 31_000;
        model.unfinished = undefined;
        // The next worker looks after the hold.
        model.look({ worker: 'a', dies });
        model.nowMs += HOLD_MS;
        model.look({ worker: 'b' });
        model.look({ worker: 'c' });
      }
      expect(new Set(model.accepted).size).toBe(model.accepted.length);
    }),
  );
});

test('clock steps: back by less than a minute it waits, back by more it goes on from now', () => {
  const model = new Model({ plan: { everyMs: 1_000 }, overlap: 'queue', missed: 'last', job });
  model.look();
  model.nowMs += 1_000;
  model.look();
  model.nowMs -= 30_000;
  model.look();
  expect(model.accepted).toHaveLength(1);
  // A wrong clock, a day ahead, for one look: without a rule the schedule would be silent for a day.
  model.nowMs += 86_400_000;
  model.look();
  model.nowMs -= 86_400_000;
  model.look();
  model.nowMs += 1_000;
  model.look();
  expect(model.accepted).toHaveLength(3);
  expect(model.document?.cursorMs).toBe(model.nowMs);
});
