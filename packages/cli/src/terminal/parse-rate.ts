import { CliError } from './cli-error.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const RATE = /^(\d{1,9}(?:\.\d{1,3})?)(?:\/(s|m|h))?$/;

/**
 * A rate as people write it, in a second: `50/s`, `90/m`, `1000/h`; a plain number is a second.
 *
 * @throws CliError with the exit code 2.
 */
export function parseRate(text: string, option: string): number {
  const [, count, unit = 's'] = RATE.exec(text) ?? [];
  const perSecond = Number(count) / (UNIT_SECONDS[unit] ?? 1);
  if (perSecond > 0) return perSecond;
  throw new CliError('usage', `${option} is no rate: ${text}`, 'Write it as 50/s, 90/m or 1000/h.');
}

/** `50/s`, `1.5/s`, `0.25/s` */
export function rateText(perSecond: number): string {
  const digits = perSecond >= 10 ? 0 : perSecond >= 1 ? 1 : 2;
  return `${perSecond.toLocaleString('en', { maximumFractionDigits: digits })}/s`;
}
