// Loaded before a program, with --import: reports when the first job has begun, and ends the process.
globalThis.firstJob = () => {
  const { user, system } = process.cpuUsage();
  const report = {
    atMs: performance.timeOrigin + performance.now(),
    cpuMs: (user + system) / 1_000,
  };
  process.stdout.write(JSON.stringify(report), () => process.exit(0));
};
