import { RedriveError } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { JOB_STATES } from '../job/job.ts';
import { type JobFilter, MAX_FAILING_SCAN, type PageRequest } from './store.ts';

/** Jobs of a page, if the caller names no `limit`. */
export const DEFAULT_PAGE = 100;

/** The last row of a page: its time and its id. Opaque to callers. */
export interface PagePlace {
  readonly atMs: number;
  readonly id: string;
}

export function placeText({ atMs, id }: PagePlace): string {
  return `${atMs}.${id}`;
}

/** @throws RedriveError `invalid_option` for a text that is not the `next` of a page. */
export function readPlace(after: string): PagePlace {
  const [, time, id] = /^(-?\d+)\.(.+)$/su.exec(after) ?? [];
  if (time === undefined || id === undefined) {
    throw new RedriveError('invalid_option', `\`after\` is not the \`next\` of a page: ${after}`, {
      after,
    });
  }
  return { atMs: Number(time), id };
}

const STATES: ReadonlySet<unknown> = new Set(JOB_STATES);
const FILTER: OptionTable<JobFilter> = {
  states: [
    undefined,
    {
      kind: 'check',
      must: `a list of states: ${JOB_STATES.join(', ')}`,
      obeys: (value) => Array.isArray(value) && value.every((state) => STATES.has(state)),
    },
  ],
  handler: [undefined],
  otherThan: [
    undefined,
    {
      kind: 'check',
      must: 'a list of names of handlers',
      obeys: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    },
  ],
  queue: [undefined],
  tenant: [undefined],
  tag: [undefined],
  sessionId: [undefined],
  batch: [undefined],
  submittedAfterMs: [undefined],
  submittedBeforeMs: [undefined],
};

/** @throws RedriveError `invalid_option`, also for an unknown name: without it the filter would select all jobs. */
export function checkJobFilter(filter: JobFilter): void {
  resolveOptions('filter of jobs', filter, FILTER);
}

const PAGE: OptionTable<PageRequest> = { limit: [DEFAULT_PAGE], after: [undefined] };

/** A page of the list of jobs. @throws RedriveError `invalid_option` unless `limit` is a whole number from 1 to 1,000. */
export function jobPage(page: Partial<PageRequest> = {}): PageRequest {
  const resolved = resolveOptions<PageRequest>('page', { limit: DEFAULT_PAGE, ...page }, PAGE);
  checkLimit('limit', resolved.limit);
  return resolved;
}

/** @throws RedriveError `invalid_option` unless it is a whole number from 1 to 1,000. */
export function checkLimit(name: string, limit: number): void {
  checkWhole(name, limit, 1_000);
}

/** @throws RedriveError `invalid_option` unless it is a whole number from 1 to `MAX_FAILING_SCAN`. */
export function checkFailingScan(atMost: number): void {
  checkWhole('atMost', atMost, MAX_FAILING_SCAN);
}

function checkWhole(name: string, limit: number, max: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return;
  const most = max.toLocaleString('en');
  throw new RedriveError('invalid_option', `${name} must be from 1 to ${most}, not ${limit}`, {
    [name]: limit,
  });
}
