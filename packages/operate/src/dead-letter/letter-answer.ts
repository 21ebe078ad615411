import { type JobSummary, jobSummaryDocument } from '@redrive/durable';
import { diedAgain } from '@redrive/durable/store';
import * as z from 'zod';
import { JOB_SUMMARY } from '../job/job-summary.ts';

/** A line of a list of dead letters. */
export const LETTER_SUMMARY = JOB_SUMMARY.extend({
  fingerprint: z.string().nullable().describe('fingerprint of its cause, for --group'),
  came_back: z.boolean().describe('true: it was requeued, and died again'),
});
export type LetterSummary = z.output<typeof LETTER_SUMMARY>;

export function letterSummary(job: JobSummary): LetterSummary {
  const { fingerprint = null } = job;
  return { ...jobSummaryDocument(job), fingerprint, came_back: diedAgain(job) };
}

/** A number of dead letters. */
export const COUNT = {
  count: z.number().describe('dead letters, up to the counting limit'),
  bounded: z.boolean().describe('true: there are more, or may be'),
};
