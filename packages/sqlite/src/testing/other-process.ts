import { claimOf, enqueueOf, settleOf } from './commands.ts';
import { openMade } from './open-made.ts';

// A process beside the test: enqueues, claims and settles on a file as fast as it can, and reports every job to the
// test that was acknowledged, until it is killed or asked to stop.

const [path = '', name = '', role = 'enqueue'] = process.argv.slice(2);
const store = await openMade(path, { timeoutMs: 30_000 });
let stopped = false;
process.on('message', () => {
  stopped = true;
});

function tell(event: string, ids: readonly string[]): void {
  process.send?.({ event, ids });
}

async function enqueueLoop(caller: number): Promise<void> {
  for (let n = 0; !stopped; n += 1) {
    const id = `${name}-${caller}-${n}`;
    await store.apply([enqueueOf(id)]);
    tell('enqueued', [id]);
  }
}

async function workLoop(): Promise<void> {
  while (!stopped) {
    const [{ jobs }] = await store.apply([claimOf(20, { worker: name })]);
    const results = await store.apply(jobs.map((job) => settleOf(job)));
    tell(
      'settled',
      jobs.filter((_, index) => results[index]?.ok).map(({ id }) => id),
    );
  }
}

tell('ready', []);
if (role === 'enqueue') await Promise.all([0, 1, 2, 3].map(enqueueLoop));
else await workLoop();
await store.close();
process.disconnect();
