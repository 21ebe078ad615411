import type { ClassifierAnswer } from './classification.ts';

/** The answer of a classifier, if it is one: plain JavaScript may answer anything, a promise for instance. */
export function understood<A extends ClassifierAnswer>(answer: A | undefined): A | undefined {
  ignoreRejection(answer);
  return answer?.errorClass ? answer : undefined;
}

/** A rejected promise without a handler would end the process. */
export function ignoreRejection(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
