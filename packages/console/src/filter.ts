import { nearest } from '@redrive/core/fields';
import { now } from './clock.ts';

/** The words of a filter, one to one the filters of the API. */
export const FILTER_KEYS: Readonly<Record<string, string>> = {
  handler: 'the function that does the work',
  queue: 'the queue of the job',
  tenant: 'the customer it belongs to',
  tag: 'a tag of the job',
  reason: 'why it was given up',
  class: 'final, retryable or rate_limited',
  state: 'ready, scheduled, parked, dead, …',
  since: 'not older than: 24h, 7d, or a time',
  until: 'not newer than: 1h, or a time',
  text: 'in the error',
};

export interface FilterToken {
  readonly key: string;
  readonly value: string;
}

export interface Filter {
  readonly tokens: readonly FilterToken[];
  /** The problem of the text, with a suggestion. */
  readonly problem?: string | undefined;
}

const PART = /([a-z_]+):("(?:[^"\\]|\\.)*"|\S*)|"((?:[^"\\]|\\.)*)"|(\S+)/g;

/** `handler:import since:24h "no such file"`. A word without a key is looked for in the error. */
export function parseFilter(text: string): Filter {
  const tokens: FilterToken[] = [];
  let problem: string | undefined;
  for (const [, key, value = '', quoted, word] of text.matchAll(PART)) {
    if (key === undefined) tokens.push({ key: 'text', value: unquoted(quoted ?? word ?? '') });
    else if (key in FILTER_KEYS) {
      if (value !== '') tokens.push({ key, value: unquoted(value) });
    } else {
      const like = nearest(key, Object.keys(FILTER_KEYS));
      problem ??= `${key}: is not a filter.${like === undefined ? '' : ` Did you mean ${like}: ?`}`;
    }
  }
  problem ??= tokens.map(problemOf).find((each) => each !== undefined);
  return { tokens, problem };
}

export function unquoted(text: string): string {
  return text.replace(/^"|"$/g, '').replaceAll(/\\(.)/g, '$1');
}

function problemOf({ key, value }: FilterToken): string | undefined {
  if (key !== 'since' && key !== 'until') return undefined;
  return timeOf(value) === undefined
    ? `${key}: takes 24h, 7d or a time such as 2027-01-31T08:00Z.`
    : undefined;
}

export function filterText(tokens: readonly FilterToken[]): string {
  return tokens.map(({ key, value }) => `${key}:${quotedIf(value)}`).join(' ');
}

function quotedIf(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value;
}

const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 };

function timeOf(value: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(value) ?? [];
  if (count !== undefined) return now.value - Number(count) * (UNITS[unit] ?? 0);
  const ms = Date.parse(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value) ? `${value}Z` : value);
  return Number.isNaN(ms) || !/^\d{4}-/.test(value) ? undefined : ms;
}

/** Names of the API that differ from those of people. */
const NAMES: Readonly<Record<string, string>> = { reason: 'reason_code' };

/** The filter as input of `/v1/dead-letters` and `/v1/jobs`. Whole minutes, so that the same text is the same request. */
export function filterInput(text: string): Record<string, string> {
  const { tokens, problem } = parseFilter(text);
  if (problem !== undefined) return {};
  return Object.fromEntries(
    tokens.map(({ key, value }) => {
      const ms = key === 'since' || key === 'until' ? timeOf(value) : undefined;
      const time =
        ms === undefined ? value : new Date(Math.floor(ms / 60_000) * 60_000).toISOString();
      return [NAMES[key] ?? key, time];
    }),
  );
}
