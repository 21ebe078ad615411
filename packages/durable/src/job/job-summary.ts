import type { SanitisedError } from '@redrive/core/stored';
import type { Job, JobSummary, StoredError } from './job.ts';

/** A job as a line of a list. `lastError` is that of its newest attempt. */
export function summaryOf(job: Job): JobSummary {
  const { payload: _payload, result: _result, headers: _headers, attempts, ...rest } = job;
  const error = attempts.kept.at(-1)?.error;
  return error === undefined ? rest : { ...rest, lastError: listed(error) };
}

/** An unfinished job with the errors of its generation. Without them it waits for others that have failed. */
export interface FailingJob extends JobSummary {
  /** The newest error of its generation, also where a later attempt was blocked or interrupted. */
  readonly lastError?: JobSummary['lastError'];
  readonly firstFailedAtMs?: number | undefined;
  readonly lastFailedAtMs?: number | undefined;
}

/** A job as `failing` lists it. Errors of an earlier generation do not count: a person requeued the job since. */
export function failingJobOf(job: Job): FailingJob {
  const { generation } = job.account;
  const failed = job.attempts.kept.filter(
    (attempt) => attempt.generation === generation && attempt.error !== undefined,
  );
  const [first] = failed;
  const last = failed.at(-1);
  const { lastError: _, ...summary } = summaryOf(job);
  if (first === undefined || last?.error === undefined) return summary;
  return {
    ...summary,
    lastError: listed(last.error),
    firstFailedAtMs: first.startedAtMs + first.durationMs,
    lastFailedAtMs: last.startedAtMs + last.durationMs,
  };
}

function listed({ stackTrace: _, ...error }: SanitisedError): StoredError {
  return error;
}
