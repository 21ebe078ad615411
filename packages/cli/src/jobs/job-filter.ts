import type { JobFilter, JobState } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import { listOption, textOption } from '../command/option-values.ts';
import { timeOption } from '../terminal/time-option.ts';

/** Which jobs the options of a list mean. */
export function jobFilter(options: Options, nowMs: number): JobFilter {
  // The command line takes no other states.
  const states = listOption(options, 'state') as readonly JobState[];
  return {
    states: states.length === 0 ? undefined : states,
    handler: textOption(options, 'handler'),
    queue: textOption(options, 'queue'),
    tenant: textOption(options, 'tenant'),
    tag: textOption(options, 'tag'),
    submittedAfterMs: timeOption(options, 'since', nowMs),
    submittedBeforeMs: timeOption(options, 'until', nowMs),
  };
}
