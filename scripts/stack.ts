// `npm run stack [-- --speed N] [-- --planted-failure]`: the topology of deploy/compose.yaml as processes on loopback, until
// Ctrl-C. Grafana is not among them, because Debian does not have it. --speed 240 makes every `for:`, range and interval
// of the alerts shorter by that factor. --planted-failure (with --speed 240): a handler dies and 60 documents are stuck;
// the alerts reach a webhook; the failure is repaired when all have fired; the stack ends when all are resolved.
import { parseArgs } from 'node:util';
import { PLANTED_ALERTS, plantFailure, repairFailure } from './stack/planted-failure.ts';
import { type Stack, startStack } from './stack/start-stack.ts';

const { values } = parseArgs({
  options: { speed: { type: 'string' }, 'planted-failure': { type: 'boolean', default: false } },
});
const isPlanted = values['planted-failure'];
const speed = Number(values.speed ?? (isPlanted ? 240 : 1));
if (!(speed >= 1)) {
  console.error('npm run stack -- [--speed N] [--planted-failure]');
  process.exit(2);
}

const told = { firing: new Set<string>(), resolved: new Set<string>() };
const isComplete = (which: 'firing' | 'resolved') =>
  Object.keys(PLANTED_ALERTS).every((alert) => told[which].has(alert));
let onTold = () => {};
const until = (which: 'firing' | 'resolved') =>
  new Promise<void>((resolve) => {
    onTold = () => isComplete(which) && resolve();
    onTold();
  });

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => resolve());
});

const starting = startStack({
  speed,
  onNotification({ receiver, status, alert, annotations }) {
    console.log(`${status} ${alert} → ${receiver}: ${annotations.description}`);
    told[status].add(alert);
    onTold();
  },
});

let stack: Stack | undefined;
try {
  stack = await starting;
  for (const [name, address] of Object.entries(stack.addresses))
    console.log(`${name.padEnd(14)}${address}`);
  console.log(`\nThe application and its logs are in ${stack.directory}. Stop with Ctrl-C.`);
  const work = isPlanted ? showFailure(stack) : new Promise<never>(() => {});
  await Promise.race([work, interrupted, stack.failed]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stack?.stop();
}

async function showFailure(running: Stack): Promise<void> {
  console.log('Planting a failure: a handler that dies, and 60 stuck documents');
  await plantFailure(running);
  await until('firing');
  console.log('Repairing it');
  await repairFailure(running);
  await until('resolved');
}
