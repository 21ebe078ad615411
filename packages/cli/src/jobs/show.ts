import { systemClock } from '@redrive/core';
import { jobDocument } from '@redrive/durable';
import type { Store } from '@redrive/durable/store';
import type { Options, RunCommand } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { jobLines } from './job-lines.ts';
import { noSuchJob } from './no-such-job.ts';

/** `redrive jobs show` */
export const runShowJob: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const [job, pauses] = await withStore(invocation, async (store) => {
    if (options.full) await noteRead(store, id, options);
    return Promise.all([store.job(id), store.pauses()]);
  });
  if (job === undefined) throw noSuchJob(id);
  const values = options.full ? 'full' : 'redacted';
  const nowMs = (io.clock ?? systemClock).now();
  if (options.json) printJson(io, jobDocument(job, { values }));
  else printLines(io, jobLines(io.screen, job, { pauses, nowMs, values }));
  return EXIT.ok;
};

/** Whoever looks at payloads as they are is on record, before they are shown. */
async function noteRead(store: Store, id: string, options: Options): Promise<void> {
  const { name: actor, why } = actorOf(options);
  const detail = JSON.stringify({ actor, why, what: 'job values in full' });
  await store.apply([{ kind: 'note', event: 'read', subject: id, detail }]);
}
