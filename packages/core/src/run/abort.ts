/** The one event listener of a signal: calls all functions that wait for it. */
class Listeners extends Set<() => void> {
  handleEvent(): void {
    for (const listener of this) listener();
    this.clear();
  }
}

const listeners = /* @__PURE__ */ new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` once the signal has aborted, at once where it has already. Answers with a function that stops
 * listening.
 *
 * All that listen on one signal share one event listener: a signal that ends a whole process has many thousands of calls
 * on it, and an event target walks through all its listeners to add or remove one.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const all = listeners.get(signal) ?? new Listeners();
  if (all.size === 0) {
    listeners.set(signal, all);
    signal.addEventListener('abort', all, { once: true });
  }
  all.add(listener);
  return () => {
    if (all.delete(listener) && all.size === 0) signal.removeEventListener('abort', all);
  };
}
