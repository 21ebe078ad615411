import type { RecordWishes } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import { listOption, textOption, timeOption } from '../command/option-values.ts';

/** Which records the options mean. @throws CliError with the exit code 2. */
export function recordWishes(options: Options, nowMs: number): RecordWishes {
  return {
    sinceMs: timeOption(options, 'since', nowMs),
    untilMs: timeOption(options, 'until', nowMs),
    events: listOption(options, 'event'),
    by: textOption(options, 'by'),
    session: textOption(options, 'session'),
    category: textOption(options, 'category'),
    tenant: textOption(options, 'tenant'),
    correlation: textOption(options, 'correlation'),
    trace: textOption(options, 'trace'),
  };
}
