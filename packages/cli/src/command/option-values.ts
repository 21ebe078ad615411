import { CliError } from '../terminal/cli-error.ts';
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
  const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new CliError('usage', `${option} must be a whole number from ${range}, not ${text}.`);
}
