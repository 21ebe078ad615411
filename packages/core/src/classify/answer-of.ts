import type { ClassifierAnswer } from './classification.ts';

/** Calls a function of the user. If it throws, the answer is `otherwise`: such a function never fails a call. */
export function answerOf<R>(ask: () => R): R | undefined;
export function answerOf<R>(ask: () => R, otherwise: R): R;
export function answerOf<R>(ask: () => R, otherwise?: R): R | undefined {
  try {
    const answer = ask();
    ignoreRejection(answer);
    return answer;
  } catch {
    return otherwise;
  }
}

/** The answer of a classifier, if it is one: plain JavaScript may answer anything, a promise for instance. */
export function classifierAnswer<A extends ClassifierAnswer>(
  ask: () => A | undefined,
): A | undefined {
  const answer = answerOf(ask);
  return answer?.errorClass ? answer : undefined;
}

/** An async function fits most types too. A rejected promise without a handler would end the process. */
export function ignoreRejection(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
