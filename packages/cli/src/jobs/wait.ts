import { isRedriveError } from '@redrive/core';
import { type Job, jobDocument, jobsOn } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { durationOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';
import { noSuchJob } from './show.ts';

export const runWait: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const timeoutMs = durationOption(options, 'timeout') ?? Infinity;
  const job = await withStore(invocation, async (store) => {
    const jobs = jobsOn(store, {}, io.clock === undefined ? {} : { clock: io.clock });
    await jobs.wait(id, { timeoutMs }).catch((error: unknown) => {
      // The job itself has its outcome, and whether its result was too large to be kept.
      const isEnd =
        isRedriveError(error, 'job_failed') || isRedriveError(error, 'payload_too_large');
      if (!isEnd) throw error;
    });
    return store.job(id);
  });
  if (job === undefined) throw noSuchJob(id);
  const values = options.full ? 'full' : 'redacted';
  if (options.json) printJson(io, jobDocument(job, { values }));
  else if (job.state === 'succeeded') printLines(io, [resultText(job)]);
  else io.stderr(`${endText(job)}\n`);
  return job.state === 'succeeded' ? EXIT.ok : EXIT.failed;
};

/** As JSON; where somebody has written something else there, it reaches no terminal as control characters either. */
function resultText({ result = '' }: Job): string {
  return printable(safeJson(result));
}

/** How a job ended that has no result. */
function endText(job: Job): string {
  const error = job.attempts.kept.at(-1)?.error;
  const last = error === undefined ? '' : `: ${error.message}`;
  return printable(`${job.state} (${job.reason ?? 'no reason'})${last}`);
}
