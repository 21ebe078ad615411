// Imports packages and reports how long that took, and the memory of the process afterwards.
const before = performance.now();
for (const name of process.argv.slice(2)) await import(name);
const ms = performance.now() - before;
console.log(JSON.stringify({ ms, rssMiB: process.memoryUsage.rss() / 2 ** 20 }));
