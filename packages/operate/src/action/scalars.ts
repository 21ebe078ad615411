import * as z from 'zod';

/**
 * The notations that people type, one schema each. A program may send the number itself. `meta.type` is the word of the
 * reference pages.
 */

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const RATE = /^(\d{1,9}(?:\.\d{1,3})?)(?:\/(s|m|h))?$/;
const MAX_RATE = 100_000;

/** Jobs per second: `50/s`, `90/m`, `7200/h`, or a number. At least 1. */
export const pace = z
  .union([z.number(), z.string().max(64)])
  .transform((given, context) => {
    const [, count, unit = 's'] = RATE.exec(String(given)) ?? [];
    const perSecond = Number(count) / (UNIT_SECONDS[unit] ?? 1);
    if (perSecond >= 1 && perSecond <= MAX_RATE) return perSecond;
    const message =
      perSecond > MAX_RATE
        ? `is more than ${MAX_RATE.toLocaleString('en')}/s: ${given}`
        : perSecond > 0
          ? `is less than 1/s: ${given}`
          : `is not a rate: ${given}`;
    return refuse(context, message, 'Write it as 50/s, 90/m or 7200/h; 1/s is the least.');
  })
  .meta({ 'x-notation': 'pace' });

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

function durationOf(text: string): number | undefined {
  const whole = NUMBER.test(text) ? `${text}s` : text;
  if (!WHOLE.test(whole)) return undefined;
  const partsMs = [...whole.matchAll(PART)].map(
    ([, n, unit = '']) => Number(n) * (UNIT_MS[unit] ?? 0),
  );
  const sumMs = Math.round(partsMs.reduce((sum, partMs) => sum + partMs, 0));
  return sumMs <= MAX_MS ? sumMs : undefined;
}

/** Milliseconds as a number, or a text: `250ms`, `90s`, `10m`, `1h30m`, `2d`; a text without a unit is seconds. */
export const duration = z
  .union([z.number().int().min(0).max(MAX_MS), z.string().max(64)])
  .transform((given, context) => {
    const ms = typeof given === 'number' ? given : durationOf(given);
    const hint = 'Write it as 250ms, 90s, 10m, 1h30m or 2d; at most ten years.';
    return ms ?? refuse(context, `is not a duration: ${given}`, hint);
  })
  .meta({ 'x-notation': 'duration' });

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function timeOf(text: string): number | undefined {
  const atMs = WITH_ZONE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** A time to come: ISO 8601 with its zone, or a duration from now with a plus: `+10m`. */
export const moment = z
  .string()
  .max(64)
  .transform((text, context) => {
    const inMs = text.startsWith('+') ? durationOf(text.slice(1)) : undefined;
    if (inMs !== undefined) return { inMs };
    const atMs = timeOf(text);
    if (atMs !== undefined) return { atMs };
    const hint = 'Write it with its zone, as 2027-01-31T08:00:00Z, or from now on, as +10m.';
    return refuse(context, `is not a time: ${text}`, hint);
  })
  .meta({ 'x-notation': 'time' });

/** A time that has passed: ISO 8601 with its zone, or how long ago: `2h`. `sinceMs` resolves it. */
export const pastTime = z
  .string()
  .max(64)
  .transform((text, context) => {
    const agoMs = /^[\d.]+[a-z]/.test(text) ? durationOf(text) : undefined;
    if (agoMs !== undefined) return { agoMs };
    const atMs = timeOf(text);
    if (atMs !== undefined) return { atMs };
    const hint = 'Write it with its zone, as 2027-01-31T08:00:00Z, or how long ago, as 2h.';
    return refuse(context, `is not a time: ${text}`, hint);
  })
  .meta({ 'x-notation': 'time' });

/** The absolute time of a `pastTime`. */
export function pastMs(
  time: z.output<typeof pastTime> | undefined,
  nowMs: number,
): number | undefined {
  if (time === undefined) return undefined;
  return 'agoMs' in time ? nowMs - time.agoMs : time.atMs;
}

/** The numbers of jobs that a bulk operation tries before it continues: `1,10,100` or a list; `none` or `false`. */
export const ramp = z
  .union([z.array(z.number().int().min(1)).max(10), z.literal(false), z.string().max(200)])
  .transform((given, context) => {
    if (typeof given !== 'string') return given;
    if (given === 'none') return false;
    const steps = given.split(',').map((step) => (/^\d{1,9}$/.test(step) ? Number(step) : 0));
    if (steps.length <= 10 && steps.every((step) => step >= 1)) return steps;
    const hint = 'Write it as 1,10,100: at most ten numbers, or none.';
    return refuse(context, `is not a ramp: ${given}`, hint);
  })
  .meta({ 'x-notation': 'ramp' });

/** A part of a whole, 0 to 1. */
export const share = z
  .union([z.number(), z.string().max(32)])
  .transform((given, context) => {
    const isRight = typeof given === 'number' || /^\d(\.\d{1,6})?$/.test(given);
    if (isRight && Number(given) >= 0 && Number(given) <= 1) return Number(given);
    return refuse(context, `is not a share: ${given}`, 'Write it as 0.2: a fifth.');
  })
  .meta({ 'x-notation': 'number', minimum: 0, maximum: 1 });

/** A whole number within its bounds, also as text: query strings and command lines have only text. */
export function count(min: number, max: number) {
  return z
    .union([z.number(), z.string().max(32)])
    .transform((given, context) => {
      const value = /^-?\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN;
      if (value >= min && value <= max) return value;
      const range = `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
      return refuse(context, `must be a whole number from ${range}, not ${given}.`);
    })
    .meta({ 'x-notation': 'number', minimum: min, maximum: max });
}

/** One of these words. `messageOf` is the error for any other. */
export function choice<const T extends string>(
  words: readonly T[],
  messageOf: (given: string) => string,
  hint?: string,
) {
  return z
    .string()
    .max(64)
    .transform((given, context) => {
      const found = words.find((word) => word === given);
      return found ?? refuse(context, messageOf(given), hint);
    })
    .meta({ enum: [...words] });
}

/** Yes or no, also as text. */
export const flag = z.union([z.boolean(), z.stringbool()]).meta({ 'x-notation': 'boolean' });

/** Any JSON. */
export const anything = () =>
  z.unknown().meta({
    'x-notation': 'any',
    type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  });

/** A text that a store can keep: Postgres stores no NUL. */
export const text = (max = 512) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'has the character NUL');

/** A name of something: a text that is not empty. */
export const nameText = () => text().min(1);

/** The fields of an input that ask for a page of a list. */
export const PAGE = {
  limit: count(1, 1_000).default(50).describe('rows per page, 1 to 1,000; default 50'),
  after: text(2_048).optional().describe('the next page: the `next` of the page before it'),
};
/** The field of an answer that leads to the next page. */
export const NEXT = z
  .string()
  .nullable()
  .describe('the value of `after` for the next page; null: this is the last page');

/** A time in an answer, ISO 8601. */
export const time = () => z.iso.datetime();

function refuse(context: z.RefinementCtx, message: string, hint?: string): never {
  context.addIssue({ code: 'custom', message, params: { hint } });
  return z.NEVER;
}
