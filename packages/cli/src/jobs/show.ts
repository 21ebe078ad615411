import { systemClock } from '@redrive/core';
import { jobDocument } from '@redrive/durable';
import { readOverview, setAsideText } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { jobLines } from './job-lines.ts';

export const runShowJob: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const [job, aside, overview] = await withStore(invocation, async (store) => {
    const [found, text] = await Promise.all([store.job(id), setAsideText(store, id)]);
    const waits = found?.state === 'parked' || found?.state === 'ready';
    return [found, text, waits ? await readOverview(store) : undefined] as const;
  });
  if (job === undefined) throw noSuchJob(id);
  const values = options.full ? 'full' : 'redacted';
  const nowMs = (io.clock ?? systemClock).now();
  if (options.json) printJson(io, jobDocument(job, { values }));
  else printLines(io, jobLines(io.screen, job, { aside, overview, nowMs, values }));
};

export function noSuchJob(id: string): CliError {
  const hint =
    '"redrive jobs list" lists all jobs. Finished jobs are deleted when their retention time is over.';
  return new CliError('no_match', `There is no job with the id ${id}.`, hint);
}
