import { isRedriveError, systemClock } from '@redrive/core';
import { type Job, jobDocument, jobsOn } from '@redrive/durable';
import { actOnJob, type JobActOutcome, readOverview, setAsideText } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';
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

export const runCancel: RunCommand = (invocation) => actOnAll(invocation, 'cancel');

export const runRetry: RunCommand = (invocation) => actOnAll(invocation, 'retry');

async function actOnAll(invocation: Invocation, act: 'cancel' | 'retry'): Promise<ExitCode> {
  const { io, args, options } = invocation;
  const dryRun = options.dryRun === true;
  const outcomes = await withStore(invocation, async (store) => {
    const all: JobActOutcome[] = [];
    for (const id of args)
      all.push(await actOnJob(store, { act, id, actor: actorOf(options), dryRun }));
    return all;
  });
  if (options.json) printJson(io, { jobs: outcomes, dry_run: dryRun });
  else
    printLines(
      io,
      outcomes.map(({ id, note }) => printable(`${id}: ${note}`)),
    );
  return exitOf(outcomes);
}

/** All, some, or none; none because there are no such jobs, or because of the state that they are in. */
function exitOf(outcomes: readonly JobActOutcome[]): ExitCode {
  if (outcomes.every(({ done }) => done)) return EXIT.ok;
  if (outcomes.some(({ done }) => done)) return EXIT.partial;
  return outcomes.every(({ state }) => state === null) ? EXIT.no_match : EXIT.conflict;
}
