import { CliError } from '../terminal/exit-codes.ts';
import { type Moment, parseDuration, parseMoment, parseTime } from '../terminal/parse-time.ts';
import type { Options } from './command-spec.ts';

/** The value of an option that takes one; `undefined` where it was not given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be repeated. */
export function listOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return typeof value === 'object' ? value : [];
}

/**
 * A whole number within its bounds.
 *
 * @throws CliError with the exit code 2.
 */
export function integerOption(
  options: Options,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const range = `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  throw new CliError('usage', `${flagOf(name)} must be a whole number from ${range}, not ${text}.`);
}

/** Which page of a list: `--limit` and `--after`. @throws CliError with the exit code 2. */
export function pageOptions(options: Options) {
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000 }) ?? 50;
  return { limit, after: textOption(options, 'after') };
}

/** A duration; `undefined` where it was not given. @throws CliError with the exit code 2. */
export function durationOption(options: Options, name: string): number | undefined {
  const text = textOption(options, name);
  return text === undefined ? undefined : parseDuration(text, flagOf(name));
}

/** A time to come. @throws CliError with the exit code 2. */
export function momentOption(options: Options, name: string): Moment | undefined {
  const text = textOption(options, name);
  return text === undefined ? undefined : parseMoment(text, flagOf(name));
}

/**
 * An option that takes a time, or how long ago: `2027-01-31T08:00:00Z`, `2h`.
 *
 * @throws CliError with the exit code 2. Also for `+2h`: elsewhere that is a time to come.
 */
export function timeOption(options: Options, name: string, nowMs: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  if (/^[\d.]+[a-z]/.test(text)) return nowMs - parseDuration(text, flagOf(name));
  const atMs = parseTime(text);
  if (atMs !== undefined) return atMs;
  const hint = 'Write it with its zone, as 2027-01-31T08:00:00Z, or how long ago, as 2h.';
  throw new CliError('usage', `${flagOf(name)} is not a time: ${text}`, hint);
}

/** `--run-at` for `runAt` */
function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
