/** Runs functions, at most so many at once. */
export function limited(atOnce) {
  let running = 0;
  const waiting = [];
  const next = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (fn) => {
    if (running >= atOnce) await new Promise((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await fn();
    } finally {
      next();
    }
  };
}
