import type { Job, JobSummary } from './job.ts';

/** A job as a line of a list. `lastError` is that of its newest attempt. */
export function summaryOf(job: Job): JobSummary {
  const { payload: _payload, result: _result, headers: _headers, attempts, ...rest } = job;
  const error = attempts.kept.at(-1)?.error;
  return error === undefined
    ? rest
    : { ...rest, lastError: { type: error.type, message: error.message } };
}
