/** Time and CPU of this process, all its threads included. */
export function stopwatch() {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  return {
    read() {
      const seconds = (performance.now() - startedAt) / 1000;
      const { user, system } = process.cpuUsage(cpuBefore);
      return { seconds, cpuUs: user + system };
    },
  };
}
