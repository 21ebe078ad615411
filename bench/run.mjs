// Entry of `npm run bench -- <suite> [options]`.

const suites = {
  'in-process': () => import('./in-process/main.mjs'),
  jobs: () => import('./jobs/main.mjs'),
  events: () => import('./events/main.mjs'),
  sweep: () => import('./sweep/main.mjs'),
  api: () => import('./api/main.mjs'),
  console: () => import('./console/main.mjs'),
  lab: () => import('./lab/main.mjs'),
  http: () => import('./http/main.mjs'),
  start: () => import('./start/main.mjs'),
};

const [suite, ...args] = process.argv.slice(2);
const load = Object.hasOwn(suites, suite ?? '') ? suites[suite] : undefined;

if (Number(process.versions.node.split('.')[0]) < 24) {
  fail(`The benchmarks need Node 24 and run on ${process.version}: start them with npm run bench.`);
} else if (!load) {
  fail(`usage: npm run bench -- <${Object.keys(suites).join(' | ')}> [options]`);
} else {
  const { main } = await load();
  await main(args).catch((error) => fail(error.message));
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
