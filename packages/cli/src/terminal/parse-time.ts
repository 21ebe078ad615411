import { CliError } from './exit-codes.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Ten years, as everywhere. */
const MAX_MS = 315_360_000_000;
const NUMBER = /^\d{1,12}(?:\.\d{1,3})?$/;
const PART = /(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)/g;
const WHOLE = /^(?:\d{1,12}(?:\.\d{1,3})?(?:ms|s|m|h|d))+$/;

/**
 * A duration as people write it: `250ms`, `90s`, `10m`, `1h30m`, `2d`; a plain number is seconds.
 *
 * @throws CliError with the exit code 2.
 */
export function parseDuration(text: string, option: string): number {
  const durationMs = durationOf(text);
  if (durationMs !== undefined) return durationMs;
  const hint = 'Write it as 250ms, 90s, 10m, 1h30m or 2d; at most ten years.';
  throw new CliError('usage', `${option} is not a duration: ${text}`, hint);
}

function durationOf(text: string): number | undefined {
  const whole = NUMBER.test(text) ? `${text}s` : text;
  if (!WHOLE.test(whole)) return undefined;
  const partsMs = [...whole.matchAll(PART)].map(
    ([, n, unit = '']) => Number(n) * (UNIT_MS[unit] ?? 0),
  );
  const sumMs = Math.round(partsMs.reduce((sum, partMs) => sum + partMs, 0));
  return sumMs <= MAX_MS ? sumMs : undefined;
}

/** A point in time: absolute, or a duration after the store's now. */
export type Moment = { readonly atMs: number } | { readonly inMs: number };

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** A time in ISO 8601 with its zone. */
export function parseTime(text: string): number | undefined {
  const atMs = WITH_ZONE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * A time in ISO 8601 with its zone, or a duration from now with a plus: `2027-01-31T08:00:00Z`, `+10m`.
 *
 * @throws CliError with the exit code 2. A time without a zone would mean another one on every machine.
 */
export function parseMoment(text: string, option: string): Moment {
  if (text.startsWith('+')) return { inMs: parseDuration(text.slice(1), option) };
  const atMs = parseTime(text);
  if (atMs !== undefined) return { atMs };
  const hint = 'Write it with its zone, as 2027-01-31T08:00:00Z, or from now on, as +10m.';
  throw new CliError('usage', `${option} is not a time: ${text}`, hint);
}
