import { describe, expect, it } from 'vitest';
import { actOnCourse, stopCourse } from './course-acts.ts';
import { courseAnswer } from './course-answer.ts';
import { enterStage, hearOfItems, type ItemStanding, sendItems } from './course-news.ts';
import type { CourseItem, OperationCourse } from './operation-course.ts';
import { RAMP } from './ramp.ts';

const OLD: CourseItem[] = Array.from({ length: 50 }, (_, n) => ({ id: `old-${n}`, generation: 2 }));

/** Its ramp has stopped it in this stage, while fifty were under way. */
function stoppedIn(stage: number): OperationCourse {
  return {
    state: 'stopped',
    sinceMs: 0,
    by: 'eve',
    underWay: OLD,
    sentAt: 1,
    held: [],
    again: [],
    succeeded: 250,
    cameBack: 100,
    maxInFlight: 1_000,
    ramp: { plan: RAMP, at: { stage, sent: 400, succeeded: 250, cameBack: 100 } },
  };
}

function resume(course: OperationCourse): OperationCourse {
  const resumed = actOnCourse(course, { kind: 'resume' }, { by: 'eve' }, 5_000);
  if (resumed === undefined) throw new Error('it can be resumed');
  return resumed;
}

/** What is heard when items stand so; the others of the course have not ended. */
function hear(
  course: OperationCourse,
  standing: (item: CourseItem, place: number) => Partial<ItemStanding>,
  revision = 2,
) {
  const standings = course.underWay.map((item, place): [string, ItemStanding] => {
    const { id, generation } = item;
    return [id, { id, generation, held: false, failed: 0, ...standing(item, place) }];
  });
  return hearOfItems(course, new Map(standings), revision);
}

const NOW = { more: true, pending: 0, atMost: 50, nowMs: 6_000 };

describe('a course that is resumed after its ramp has stopped it', () => {
  it('does not stop because of attempts that failed before', () => {
    const { course } = hear(resume(stoppedIn(3)), (_, n) => ({ failed: n < 5 ? 1 : 0 }));
    expect(course.underWay).toHaveLength(50);
    expect(course.ramp?.at).toEqual({ stage: 0, sent: 0, succeeded: 0, cameBack: 0 });
    expect(courseAnswer(course, NOW)).toMatchObject({ kind: 'send', items: 1 });
  });

  it('counts what was sent before in its totals, and not in the stages that follow', () => {
    const { course } = hear(resume(stoppedIn(2)), (_, n) => ({
      end: (['succeeded', 'failed', 'other'] as const)[n % 3],
    }));
    expect(course).toMatchObject({ underWay: [], succeeded: 250 + 17, cameBack: 100 + 17 });
    expect(course.ramp?.at).toEqual({ stage: 0, sent: 0, succeeded: 0, cameBack: 0 });
  });

  it('enters no stage before those of the one before have ended', () => {
    const second = enterStage(resume(stoppedIn(2)), 1);
    const own = Array.from({ length: 10 }, (_, n) => ({ id: `new-${n}`, generation: 2 }));
    const sent = sendItems(second, own, 2);
    const { course } = hear(
      sent,
      ({ id }) => (id.startsWith('old') ? { end: 'succeeded' } : {}),
      3,
    );
    expect(courseAnswer(course, { ...NOW, nowMs: 9_000 })).toMatchObject({ kind: 'wait' });
    const ended = hear(course, () => ({ end: 'succeeded' }), 3);
    expect(courseAnswer(ended.course, { ...NOW, nowMs: 9_000 })).toEqual({
      kind: 'next',
      stage: 2,
    });
  });

  it('holds one of before that fails now, and begins with it as with any other the next time', () => {
    const failed = hear(resume(stoppedIn(3)), (_, n) => (n === 0 ? { failed: 2, held: true } : {}));
    expect(failed.course).toMatchObject({ cameBack: 101, ramp: { at: { cameBack: 0 } } });
    expect(failed.course.held).toEqual([{ id: 'old-0', generation: 2, failed: 2 }]);
    const again = resume({ ...failed.course, state: 'stopped' });
    expect(sendItems(again, again.again, 2).ramp?.at.sent).toBe(1);
  });
});

it('a course that its ramp stops keeps what was not let go yet', () => {
  const parked = OLD.slice(0, 3);
  const running = { ...stoppedIn(1), state: 'running' } as const;
  const stopped = stopCourse(running, parked, { by: 'w1', why: 'too many' }, 9);
  expect(stopped).toMatchObject({ state: 'stopped', by: 'w1', why: 'too many', sinceMs: 9 });
  expect(stopped.held.map(({ id }) => id)).toEqual(['old-0', 'old-1', 'old-2']);
  expect(stopped.underWay).toHaveLength(47);
});
