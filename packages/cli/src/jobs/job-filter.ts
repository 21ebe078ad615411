import type { JobFilter, JobState } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import { listOption, textOption } from '../command/option-values.ts';
import { parseMoment } from '../terminal/parse-time.ts';

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

/** A time, or how long ago. */
function timeOption(options: Options, name: string, nowMs: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const isAge = /^[\d.]+[a-z]/.test(text);
  const moment = parseMoment(isAge ? `+${text}` : text, `--${name}`);
  return 'atMs' in moment ? moment.atMs : nowMs - moment.inMs;
}
