import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import type { Options } from '../command/command-spec.ts';
import { textOption, timeOption } from '../command/option-values.ts';

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
