// The handler of workers that are started by `redrive start`: does what the harness's own workers do.
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobContext } from '@redrive/durable';
import { type Deed, Evidence } from './evidence.ts';
import type { Work } from './workload.ts';

const evidence = new Evidence(process.env.CRASH_DIRECTORY ?? '.');
const worker = `cli-${process.pid}`;

export default async function work(task: Work, context: JobContext): Promise<void> {
  const { attempt, token } = context;
  const note = (what: Deed['what']): void =>
    evidence.deeds.write({ what, key: task.key, worker, attempt, token, atMs: Date.now() });
  note('start');
  await sleep(task.workMs);
  if (task.failsFirst && attempt === 1) {
    note('fail');
    throw new Error('The first attempt fails, as planned');
  }
  try {
    await context.once(`outside ${task.key}`, () => note('effect'), {
      // Whose record could not be written is tried again after so long.
      leaseMs: 2_000,
    });
  } catch (error) {
    note('fail');
    throw error;
  }
  note('recorded');
  note('end');
}
