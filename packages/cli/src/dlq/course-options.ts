import type { OperationRequest } from '@redrive/durable';
import type { OptionSpec, Options } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/cli-error.ts';
import { parseRate } from '../terminal/parse-rate.ts';

/** How an act on many goes on that workers carry out, for every act. */
export const COURSE_OPTIONS: readonly OptionSpec[] = [
  { flags: '--rate <rate>', summary: 'act on so many at most, such as 50/s; default: no limit' },
  { flags: '--detach', summary: 'leave it to the workers, and do not wait for its end' },
];

/** The same for what starts jobs. */
export const RAMP_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--ramp <sizes>',
    summary:
      'so many first, and more only when enough of them succeed: 1,10,100, then all; none: all at once',
  },
  {
    flags: '--max-in-flight <n>',
    summary: 'so many at most that were sent back and have not ended, 1 to 2,000',
  },
  {
    flags: '--stop-on-failure-ratio <share>',
    summary: 'stop when more than this share of a stage comes back; default 0.2',
  },
];

/** What the options say about the course of an act. */
export type CourseTerms = Pick<
  OperationRequest,
  'ratePerSecond' | 'ramp' | 'stopShare' | 'maxInFlight'
>;

/** Absent: nothing is said, and the act is carried out here and at once. @throws CliError with the exit code 2. */
export function courseTerms(options: Options): CourseTerms | undefined {
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
  throw new CliError('usage', `--ramp is no ramp: ${text}`, hint);
}

function shareOf(text: string): number {
  const share = /^\d(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  const hint = 'Write it as 0.2: a fifth of a stage.';
  throw new CliError('usage', `--stop-on-failure-ratio is no share: ${text}`, hint);
}
