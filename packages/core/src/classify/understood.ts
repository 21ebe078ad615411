import type { ClassifierAnswer } from './classification.ts';

/** The answer of a classifier, if it is one: plain JavaScript may answer anything, a promise for instance. */
export function understood<A extends ClassifierAnswer>(answer: A | undefined): A | undefined {
  ignoreRejection(answer);
  return answer?.errorClass ? answer : undefined;
}

/** A promise that nobody awaits must not end the process when it rejects. */
export function ignoreRejection(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
