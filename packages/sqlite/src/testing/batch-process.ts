import { appendFileSync } from 'node:fs';
import { type FullStore, jobsOn } from '@redrive/durable';
import type { Command, ResultsOf } from '@redrive/durable/store';
import { openMade } from './open-made.ts';

// A process that stores a batch, works on it and waits for its end. Every attempt leaves a line in a file. With a point,
// such as `before seal`, it kills itself there.
const [path = '', log = '', point = ''] = process.argv.slice(2);
const store = await openMade(path);
const jobs = jobsOn(
  dying(store),
  {
    page: async (page: number) => appendFileSync(log, `page ${page}\n`),
    index: async () => appendFileSync(log, 'index\n'),
  },
  { log: 'off', leaseMs: 500, sweepMs: 200, pollMs: 100 },
);
await jobs.start();
const pages = Array.from({ length: 1_200 }, (_, page) => page);
await jobs.enqueueBatch('page', pages, { id: 'book', then: { handler: 'index' } });
await jobs.waitBatch('book');
await jobs.wait('batch:book:then');
await jobs.stop();
await store.close();

/** A store whose process is killed before or after the commit of a command. */
function dying(store: FullStore): FullStore {
  const [when, at] = point.split(' ');
  const names = (command: Command): boolean => {
    if (command.kind === 'batch') return command.act === at;
    if (command.kind === 'enqueue') return at === 'items';
    return command.kind === 'end_batches' && at === 'end';
  };
  return {
    ...store,
    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      const isPoint = commands.some(names);
      if (isPoint && when === 'before') process.kill(process.pid, 'SIGKILL');
      const results = await store.apply(commands);
      if (isPoint && when === 'after') process.kill(process.pid, 'SIGKILL');
      return results;
    },
  };
}
