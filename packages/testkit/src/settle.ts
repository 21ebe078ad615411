// Taken when the module loads, so that a test's fake timers do not catch it and `advance` cannot hang on them.
// biome-ignore lint/style/noRestrictedGlobals: no time is read or waited for; this only lets promises go first.
const nextMacrotask = setImmediate;

/**
 * Resolves when every promise reaction that can run without time or I/O has run, however long the chain: a macrotask
 * starts only when the microtask queue is empty, while any fixed number of `await Promise.resolve()` is too few for
 * some chain.
 */
export function settle(): Promise<void> {
  return new Promise((resolve) => nextMacrotask(resolve));
}
