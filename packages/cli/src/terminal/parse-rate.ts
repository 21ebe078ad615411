import { CliError } from './exit-codes.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const RATE = /^(\d{1,9}(?:\.\d{1,3})?)(?:\/(s|m|h))?$/;

/**
 * A rate as people write it, in a second: `50/s`, `90/m`, `7200/h`; a plain number is a second. At least 1/s, as
 * everything has it that takes a rate.
 *
 * @throws CliError with the exit code 2.
 */
export function parseRate(text: string, option: string): number {
  const [, count, unit = 's'] = RATE.exec(text) ?? [];
  const perSecond = Number(count) / (UNIT_SECONDS[unit] ?? 1);
  if (perSecond >= 1) return perSecond;
  const what = perSecond > 0 ? `is less than 1/s: ${text}` : `is not a rate: ${text}`;
  throw new CliError(
    'usage',
    `${option} ${what}`,
    'Write it as 50/s, 90/m or 7200/h; 1/s is the least.',
  );
}

/** `50/s`, `1.5/s`, `0.25/s` */
export function rateText(perSecond: number): string {
  const digits = perSecond >= 10 ? 0 : perSecond >= 1 ? 1 : 2;
  return `${perSecond.toLocaleString('en', { maximumFractionDigits: digits })}/s`;
}
