import { type JobContext, jobsOn } from '@redrive/durable';
import type { Command } from '@redrive/durable/store';
import { openMade } from './open-made.ts';

// A worker beside the test, with a schedule of every second. It reports each job that it runs. As `dies`, it is killed
// between the enqueue of its first tick and the write of the cursor.

const [path = '', role = 'works'] = process.argv.slice(2);
const store = await openMade(path, { timeoutMs: 30_000 });

function isTick(command: Command): boolean {
  return command.kind === 'control' && command.of === 'schedule' && command.expect > 0;
}

const dying: typeof store = {
  ...store,
  apply: (commands) => {
    if (commands.some(isTick)) process.kill(process.pid, 'SIGKILL');
    return store.apply(commands);
  },
};

const handlers = {
  beat: async (_: undefined, { jobId }: JobContext) => void process.send?.(jobId),
};
// A job of a killed process is free again after its lease.
const jobs = jobsOn(role === 'dies' ? dying : store, handlers, { leaseMs: 1_000, log: 'off' });
jobs.schedule('beat', { handler: 'beat', everyMs: 1_000, overlap: 'queue' });
await jobs.start();
