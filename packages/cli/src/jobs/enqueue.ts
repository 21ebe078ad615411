import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError, type ExitCode } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { enqueueLines } from './enqueue-lines.ts';
import { documentOf, type Enqueuer, enqueuer } from './enqueuer.ts';

export const runEnqueue: RunCommand = async (invocation) => {
  const { options } = invocation;
  const payload = textOption(options, 'payload');
  const from = textOption(options, 'from');
  if (payload === undefined && from === undefined) {
    const hint = `Write --payload '{"any": "JSON"}', or --from a file with one payload per line.`;
    throw new CliError('usage', 'The payload is missing.', hint);
  }
  const jobs = enqueuer(invocation);
  try {
    return from === undefined
      ? await enqueueOne(invocation, jobs, payload ?? '')
      : await enqueueLines(invocation, jobs, from);
  } finally {
    await jobs.close();
  }
};

async function enqueueOne(
  { io, options }: Invocation,
  jobs: Enqueuer,
  payload: string,
): Promise<ExitCode | undefined> {
  const [job] = await jobs.send([payload], false);
  if (job === undefined) throw new Error('The answer has no job');
  if (options.json) printJson(io, documentOf(job, options.dryRun === true));
  else if (job.id === null) {
    printLines(io, [printable(`A job of ${job.handler} would be enqueued.`)]);
  }
  // A pipe gets the id as it is.
  else printLines(io, [io.screen.isTerminal ? printable(job.id) : job.id]);
  return undefined;
}
