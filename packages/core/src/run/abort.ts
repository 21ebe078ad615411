const listeners = /* @__PURE__ */ new WeakMap<AbortSignal, Set<() => void>>();

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
  const all = listeners.get(signal) ?? new Set();
  if (all.size === 0) {
    listeners.set(signal, all);
    signal.addEventListener('abort', callAll, { once: true });
  }
  all.add(listener);
  return () => {
    if (all.delete(listener) && all.size === 0) signal.removeEventListener('abort', callAll);
  };
}

function callAll(this: AbortSignal): void {
  const all = listeners.get(this) ?? [];
  listeners.delete(this);
  for (const listener of all) listener();
}
