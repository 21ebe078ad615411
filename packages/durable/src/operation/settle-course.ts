import { causes, isOver } from '../control/rules/index.ts';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { findCourse } from './find-course.ts';

/** Where one ends that nothing was acted on for. */
const BEFORE_ALL = '-';
const RELEASE_AT_ONCE = 1_000;

/** Does what follows from the end of an operation. Safe to do twice, and by two at a time. */
export async function settleCourse(store: FullStore, id: string, actor: Actor): Promise<void> {
  const found = await findCourse(store, id);
  if (found === undefined || !isOver(found.course) || found.course.settled) return;
  await finishOperation(store, id);
  await releaseHeld(store, id, actor);
  const { runner: _, ids: __, ...course } = found.course;
  const document = JSON.stringify({ ...course, settled: true });
  const command = { kind: 'control', of: 'operation', key: id, expect: found.revision } as const;
  await store.apply([{ ...command, document }]);
}

/** Nothing more of it is to be acted on. The place where it ended stays, which tells it from one that came to its end. */
async function finishOperation(store: FullStore, id: string): Promise<void> {
  let operation = await store.operation(id);
  while (operation?.state === 'running') {
    const { revision, cursor = BEFORE_ALL } = operation;
    const step = { id, revision, cursor, acts: [], finished: true };
    const answer = await store.stepOperation(step);
    // Somebody was in the middle of a step: then after that.
    operation = answer.operation;
  }
}

/** Lets go of the jobs that wait for its ramp. Those that somebody is at just now are left to the workers' releaser. */
export async function releaseHeld(store: FullStore, id: string, actor: Actor): Promise<void> {
  const cause = causes.operation(id);
  for (let more = true; more; ) {
    const [answer] = await store.apply([{ kind: 'release', cause, limit: RELEASE_AT_ONCE, actor }]);
    more = answer.more && answer.released > 0;
  }
}
