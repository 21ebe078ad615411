import type { PaceWish } from '@redrive/durable';
import type { Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { parseRate } from './parse-rate.ts';

/** The pace of `--pace`; absent: none is asked for. @throws CliError with the exit code 2. */
export function paceOption(options: Options): PaceWish | undefined {
  const text = textOption(options, 'pace');
  return text === undefined ? undefined : { perSecond: parseRate(text, '--pace') };
}
