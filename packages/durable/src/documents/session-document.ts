import { type SessionV1, toSessionV1 } from '@redrive/core/records';
import type { Job } from '../job/job.ts';
import { type RecordsOptions, recordsOf } from './records-of.ts';

/**
 * A job's session as a document, `session/v1`. `undefined` before the first attempt has ended, because the shape needs at
 * least one attempt. The result is left out, because it is the user's data.
 */
export function sessionDocument(job: Job, options: RecordsOptions = {}): SessionV1 | undefined {
  return toSessionV1(recordsOf(job, options), { omittedAttempts: job.attempts.omitted });
}
