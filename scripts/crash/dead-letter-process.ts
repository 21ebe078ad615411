import { appendFileSync } from 'node:fs';
import { jobsOn } from '@redrive/durable';
import {
  type Bus,
  DEAD_LETTER_HANDLER,
  deadLetterHandler,
  deadLetterSchedule,
} from '@redrive/durable/events';
import { natsBus } from '@redrive/nats';
import { openStore } from '@redrive/sqlite';

// A worker beside the test that publishes the dead letters of the source `chunking` every second, and writes the ids of
// each publish down before it. It reports each tick that had nothing left to publish, and kills itself before
// its first publish, or after the confirmation of the publish with the given number or of the last one.

const [path = '', url = '', journal = '', dies = ''] = process.argv.slice(2);
/** Letters of every publish but the last one. */
const PAGE = 32;
const store = await openStore(path, { timeoutMs: 30_000 });
const bus = natsBus(url);
let publishes = 0;
const dying: Bus = {
  name: bus.name,
  capabilities: bus.capabilities,
  async publish(messages) {
    publishes += 1;
    appendFileSync(journal, messages.map(({ id }) => `${id}\n`).join(''));
    if (dies === 'before') process.kill(process.pid, 'SIGKILL');
    const results = await bus.publish(messages);
    const isLast = messages.length < PAGE;
    if (dies === 'last' ? isLast : publishes === Number(dies)) process.kill(process.pid, 'SIGKILL');
    return results;
  },
  consume: (source, options, take) => bus.consume(source, options, take),
  check: (source) => bus.check(source),
  declare: (source) => bus.declare(source),
  close: () => bus.close(),
  [Symbol.asyncDispose]: () => bus.close(),
};
const handler = deadLetterHandler(store, { main: dying });
const reporting: typeof handler = {
  ...handler,
  async run(payload, context) {
    const result = await handler.run(payload, context);
    if ('published' in result && result.published === 0) process.send?.('done');
    return result;
  },
};
// The job of a killed process is free again after its lease.
const jobs = jobsOn(store, { [DEAD_LETTER_HANDLER]: reporting }, { leaseMs: 1_000, log: 'off' });
const [name, options] = deadLetterSchedule({
  name: 'chunking',
  bus: 'main',
  publishTo: 'chunking.dlq',
});
jobs.schedule(name, { ...options, everyMs: 1_000 });
await jobs.start();
