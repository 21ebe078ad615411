import type { Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError } from './cli-error.ts';
import { parseDuration, parseTime } from './parse-time.ts';

/**
 * An option that takes a time, or how long ago: `2027-01-31T08:00:00Z`, `2h`.
 *
 * @throws CliError with the exit code 2. Also for `+2h`: elsewhere that is a time to come.
 */
export function timeOption(options: Options, name: string, nowMs: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  if (/^[\d.]+[a-z]/.test(text)) return nowMs - parseDuration(text, `--${name}`);
  const atMs = parseTime(text);
  if (atMs !== undefined) return atMs;
  const hint = 'Write it with its zone, as 2027-01-31T08:00:00Z, or how long ago, as 2h.';
  throw new CliError('usage', `--${name} is not a time: ${text}`, hint);
}
