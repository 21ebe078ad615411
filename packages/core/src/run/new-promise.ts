/** Settles a promise. Untyped, because one variable holds the functions of promises of every type. */
type Settle = (value?: unknown) => void;

/** What settles the promise that `newPromise` made last. Take them at once. */
export let resolveLast: Settle;
export let rejectLast: Settle;

const capture = (resolve: Settle, reject: Settle): void => {
  resolveLast = resolve;
  rejectLast = reject;
};

/** `Promise.withResolvers` without the object, and `new Promise` without a closure for each: calls make them all the time. */
export function newPromise<T>(): Promise<T> {
  return new Promise<unknown>(capture) as Promise<T>; // Settled only by whoever made it, with a T.
}
