import { documentsIn } from '../control/documents-in.ts';
import { isOver } from '../control/rules/index.ts';
import { updateControl } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';

/** How an operation went is known for so long after its end, and of so many. */
export const COURSE_KEPT_MS = 7 * 86_400_000;
export const COURSES_KEPT = 100;

/** Takes away the documents of operations that are long over: every process reads all of them. */
export async function forgetCourses(store: FullStore): Promise<void> {
  const controls = await store.controls();
  const { nowMs } = controls;
  const over = [...documentsIn(controls, 'operation')]
    .map(([key, course]) => ({ key, course }))
    .filter(({ course }) => isOver(course) && course.settled)
    .sort((a, b) => b.course.sinceMs - a.course.sinceMs);
  for (const [place, { key, course }] of over.entries()) {
    if (place < COURSES_KEPT && nowMs - course.sinceMs < COURSE_KEPT_MS) continue;
    await updateControl(store, {
      of: 'operation',
      key,
      next: (current) => (current === undefined ? undefined : null),
    });
  }
}
