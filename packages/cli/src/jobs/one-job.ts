import { actOnJob, type JobActOutcome } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

export function noSuchJob(id: string): CliError {
  const hint =
    '"redrive jobs list" lists all jobs. Finished jobs are deleted when their retention time is over.';
  return new CliError('no_match', `There is no job with the id ${id}.`, hint);
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
