// Loaded before a program, with --import: reports when the first job has begun, and ends the process when it is settled.
const SETTLED_MS = 300;
let isReported = false;

globalThis.firstJob = () => {
  if (isReported) return;
  isReported = true;
  const { user, system } = process.cpuUsage();
  const atMs = performance.timeOrigin + performance.now();
  console.log(JSON.stringify({ atMs, cpuMs: (user + system) / 1_000 }));
  setTimeout(() => process.exit(0), SETTLED_MS);
};
