import { systemClock } from '@redrive/core';
import { jobDocument } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { readOverview } from '../workers/read-overview.ts';
import { jobLines } from './job-lines.ts';
import { noSuchJob } from './no-such-job.ts';
import { setAsideText } from './set-aside-text.ts';

/** `redrive jobs show` */
export const runShowJob: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const [job, pauses, aside, parked] = await withStore(invocation, async (store) => {
    const [found, ...about] = await Promise.all([
      store.job(id),
      store.pauses(),
      setAsideText(store, id),
    ]);
    const overview = found?.state === 'parked' ? await readOverview(store) : undefined;
    return [found, ...about, overview] as const;
  });
  if (job === undefined) throw noSuchJob(id);
  const values = options.full ? 'full' : 'redacted';
  const nowMs = (io.clock ?? systemClock).now();
  if (options.json) printJson(io, jobDocument(job, { values }));
  else printLines(io, jobLines(io.screen, job, { pauses, aside, parked, nowMs, values }));
  return EXIT.ok;
};
