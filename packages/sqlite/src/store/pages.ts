import { RedriveError } from '@redrive/core';
import { type JobPage, summaryOf } from '@redrive/durable/store';
import { type JobRow, jobOf } from '../job/job-row.ts';
import { readablePart } from '../job/row-problem.ts';

/** A page from rows of which there is one more than fits if there are more. */
export function pageOf(rows: readonly JobRow[], limit: number): JobPage {
  const jobs = rows.slice(0, limit).map((row) => summaryOf(jobOf(readablePart(row))));
  const last = jobs.at(-1);
  const hasMore = last !== undefined && rows.length > limit;
  return { jobs, next: hasMore ? `${last.submittedAtMs}.${last.id}` : undefined };
}

/** Where a page ended. @throws RedriveError `invalid_option`. */
export function readPlace(after: string): { readonly atMs: number; readonly id: string } {
  const [, time, id] = /^(-?\d{1,16})\.(.+)$/su.exec(after) ?? [];
  if (time === undefined || id === undefined) {
    throw new RedriveError('invalid_option', `\`after\` is not the \`next\` of a page: ${after}`, {
      after,
    });
  }
  return { atMs: Number(time), id };
}
