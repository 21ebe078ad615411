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

/** An async function fits most types too. A rejected promise without a handler would end the process. */
export function ignoreRejection(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
