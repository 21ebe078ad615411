import { CliError } from '../terminal/cli-error.ts';

export function noSuchJob(id: string): CliError {
  const hint =
    'See what there is with "redrive jobs list". Finished jobs are deleted when their retention is over.';
  return new CliError('no_match', `There is no job with the id ${id}.`, hint);
}
