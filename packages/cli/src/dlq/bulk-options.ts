import type { OperationRequest } from '@redrive/durable/control';
import type { Options } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/cli-error.ts';
import { parseRate } from '../terminal/parse-rate.ts';

/** The options of a bulk operation. */
export type BulkTerms = Pick<
  OperationRequest,
  'ratePerSecond' | 'ramp' | 'stopShare' | 'maxInFlight'
>;

/** Absent: none is given, and all letters are acted on at once. @throws CliError with the exit code 2. */
export function bulkTerms(options: Options): BulkTerms | undefined {
  const rate = textOption(options, 'rate');
  const ramp = textOption(options, 'ramp');
  const share = textOption(options, 'stopOnFailureRatio');
  const maxInFlight = integerOption(options, 'maxInFlight', { min: 1, max: 2_000 });
  const isSaid = [rate, ramp, share, maxInFlight].some((value) => value !== undefined);
  if (!isSaid && options.detach !== true) return undefined;
  return {
    ratePerSecond: rate === undefined ? undefined : parseRate(rate, '--rate'),
    ramp: ramp === undefined ? undefined : stagesOf(ramp),
    stopShare: share === undefined ? undefined : shareOf(share),
    maxInFlight,
  };
}

function stagesOf(text: string): readonly number[] | false {
  if (text === 'none') return false;
  if (/^\d{1,4}(,\d{1,4}){0,9}$/.test(text)) return text.split(',').map(Number);
  const hint = 'Write the sizes of its stages, such as 1,10,100, or none.';
  throw new CliError('usage', `--ramp is not a ramp: ${text}`, hint);
}

function shareOf(text: string): number {
  const share = /^\d(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  const hint = 'Write it as 0.2: a fifth of a stage.';
  throw new CliError('usage', `--stop-on-failure-ratio is not a share: ${text}`, hint);
}
