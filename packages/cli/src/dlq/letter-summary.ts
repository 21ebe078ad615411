import { type JobSummaryDocument, jobSummaryDocument } from '@redrive/durable';
import type { JobSummary } from '@redrive/durable/store';

export interface LetterSummaryDocument extends JobSummaryDocument {
  readonly fingerprint: string | null;
  readonly came_back: boolean;
}

/** A line of a list of dead letters, as JSON prints it. */
export function letterSummary(job: JobSummary): LetterSummaryDocument {
  return {
    ...jobSummaryDocument(job),
    fingerprint: job.fingerprint ?? null,
    came_back: cameBack(job),
  };
}

/** Whether it was sent again and died again. A reset alone begins a generation in which nothing has run. */
export function cameBack({ account }: Pick<JobSummary, 'account'>): boolean {
  return account.generation > 1 && account.claims > 0;
}
