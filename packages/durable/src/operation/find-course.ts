import type { Controls } from '../control/control-store.ts';
import type { OperationCourse } from '../control/rules/index.ts';
import { documentOf } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';

/** A course as the store has it. */
export interface FoundCourse {
  readonly course: OperationCourse;
  readonly revision: number;
  readonly nowMs: number;
}

export async function findCourse(
  store: Pick<FullStore, 'controls'>,
  id: string,
): Promise<FoundCourse | undefined> {
  return courseIn(await store.controls(), id);
}

export function courseIn({ all, nowMs }: Controls, id: string): FoundCourse | undefined {
  const found = all.find(({ kind, key }) => kind === 'operation' && key === id);
  const course = found && documentOf<'operation'>(found);
  return course && { course, revision: found.revision, nowMs };
}
