import { RedriveError } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { DEFAULT_PAGE } from '../store/page.ts';
import { type DeadFilter, type DeadPageRequest, MAX_DEAD_COUNT } from './dead-letter-store.ts';

// Bounds of queries about dead letters, the same in every store.

const MAX_TEXT = 200;
/** The most groups that a search for a text in their patterns finds. */
export const MAX_TEXT_GROUPS = 1_000;

const FILTER: OptionTable<DeadFilter> = {
  handler: [undefined],
  queue: [undefined],
  tenant: [undefined],
  tag: [undefined],
  sessionId: [undefined],
  batch: [undefined],
  fingerprint: [undefined],
  reason: [undefined],
  errorClass: [undefined],
  text: [undefined],
  diedAfterMs: [undefined],
  diedBeforeMs: [undefined],
};

/** @throws RedriveError `invalid_option`, also for an unknown name: without it the filter would select all letters. */
export function checkDeadFilter(filter: DeadFilter): void {
  resolveOptions('filter of dead letters', filter, FILTER);
  const { text } = filter;
  if (text === undefined || (text.length <= MAX_TEXT && text.isWellFormed())) return;
  throw new RedriveError('invalid_option', `text must have at most ${MAX_TEXT} characters`, {
    characters: text.length,
  });
}

const PAGE: OptionTable<DeadPageRequest> = {
  limit: [DEFAULT_PAGE],
  after: [undefined],
  first: ['newest', { kind: 'choice', values: ['newest', 'oldest'] }],
};

/** A page of dead letters. @throws RedriveError `invalid_option` unless `limit` is a whole number from 1 to 1,000. */
export function deadPage(page: Partial<DeadPageRequest> = {}): DeadPageRequest {
  const resolved = resolveOptions<DeadPageRequest>('page', { limit: DEFAULT_PAGE, ...page }, PAGE);
  checkWhole('limit', resolved.limit, 1_000);
  return resolved;
}

/** @throws RedriveError `invalid_option` unless it is a whole number from 1 to 100. */
export function checkGroupPage(limit: number): void {
  checkWhole('limit', limit, 100);
}

/** @throws RedriveError `invalid_option` unless it is a whole number from 1 to `MAX_DEAD_COUNT`. */
export function checkAtMost(atMost: number): void {
  checkWhole('atMost', atMost, MAX_DEAD_COUNT);
}

function checkWhole(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new RedriveError('invalid_option', `${name} must be from 1 to ${max}, not ${value}`, {
    [name]: value,
  });
}

/** ASCII letters in lower case, and no others: every database does this alike. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
