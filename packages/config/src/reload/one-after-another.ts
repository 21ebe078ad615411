/**
 * Runs a task one call at a time, in the order of the calls. A call that waits is shared by the later ones with the same
 * arguments that come right behind it, so that a flood of signals does not queue up.
 */
export function oneAfterAnother<A extends readonly string[], R>(
  task: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: { readonly key: string; readonly result: Promise<R> } | undefined;
  return (...args) => {
    const key = JSON.stringify(args);
    if (waiting?.key === key) return waiting.result;
    const mine = {
      key,
      result: last.then(() => {
        if (waiting === mine) waiting = undefined;
        return task(...args);
      }),
    };
    waiting = mine;
    last = mine.result.catch(() => {});
    return mine.result;
  };
}
