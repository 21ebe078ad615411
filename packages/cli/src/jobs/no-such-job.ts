import { CliError } from '../terminal/cli-error.ts';

export function noSuchJob(id: string): CliError {
  const hint =
    '"redrive jobs list" lists all jobs. Finished jobs are deleted when their retention time is over.';
  return new CliError('no_match', `There is no job with the id ${id}.`, hint);
}
