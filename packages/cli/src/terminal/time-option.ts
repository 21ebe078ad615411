import type { Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { parseMoment } from './parse-time.ts';

/**
 * An option that takes a time, or how long ago: `2027-01-31T08:00:00Z`, `2h`.
 *
 * @throws CliError with the exit code 2.
 */
export function timeOption(options: Options, name: string, nowMs: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const isAge = /^[\d.]+[a-z]/.test(text);
  const moment = parseMoment(isAge ? `+${text}` : text, `--${name}`);
  return 'atMs' in moment ? moment.atMs : nowMs - moment.inMs;
}
