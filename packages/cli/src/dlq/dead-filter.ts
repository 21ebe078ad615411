import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { DeadFilter } from '@redrive/durable/store';
import type { OptionSpec, Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { REASON_TEXT } from '../jobs/reason-text.ts';
import { timeOption } from '../terminal/time-option.ts';

/** Which dead letters are meant, in every command that has more than one in view. */
export const DEAD_FILTERS: readonly OptionSpec[] = [
  { flags: '--handler <name>', summary: 'only of this handler' },
  { flags: '--queue <name>', summary: 'only of this queue' },
  { flags: '--tenant <name>', summary: 'only of this tenant' },
  { flags: '--tag <text>', summary: 'only with this tag' },
  { flags: '--session <id>', summary: 'only of this session' },
  { flags: '--group <fingerprint>', summary: 'only of this cause: see "redrive dlq groups"' },
  {
    flags: '--reason-code <code>',
    summary: 'only given up for this reason, such as max_attempts_exceeded',
    choices: Object.keys(REASON_TEXT),
  },
  {
    flags: '--class <class>',
    summary: 'only with an error of this class',
    choices: ['final', 'retryable', 'rate_limited'],
  },
  { flags: '--text <text>', summary: 'only where the cause contains this' },
  { flags: '--since <time>', summary: 'died at this time or later, or at most so long ago: 2h' },
  { flags: '--until <time>', summary: 'died before this time, or at least so long ago: 10m' },
];

/** @throws CliError with the exit code 2. */
export function deadFilter(options: Options, nowMs: number): DeadFilter {
  return {
    handler: textOption(options, 'handler'),
    queue: textOption(options, 'queue'),
    tenant: textOption(options, 'tenant'),
    tag: textOption(options, 'tag'),
    sessionId: textOption(options, 'session'),
    fingerprint: textOption(options, 'group'),
    // The command line takes no others.
    reason: textOption(options, 'reasonCode') as ReasonCode | undefined,
    errorClass: textOption(options, 'class') as ErrorClass | undefined,
    text: textOption(options, 'text'),
    diedAfterMs: timeOption(options, 'since', nowMs),
    diedBeforeMs: timeOption(options, 'until', nowMs),
  };
}

/** Whether it leaves anything out. */
export function isFiltering(filter: DeadFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
