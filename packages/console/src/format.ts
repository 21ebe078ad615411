import { now } from './clock.ts';
import { zone } from './prefs.ts';

/** Milliseconds, or the text of a document. */
export type Moment = number | string;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12,408` */
export function num(value: number | bigint): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** `10,000+` where counting stopped. */
export function bounded(value: number, isBound: boolean): string {
  return `${num(value)}${isBound && value > 0 ? '+' : ''}`;
}

/** `6.8 %` */
export function percent(share: number): string {
  const value = share * 100;
  const digits = value === 0 || value >= 99.95 || Number.isInteger(value) ? 0 : value < 0.1 ? 2 : 1;
  return `${value.toFixed(digits)} %`;
}

/** `50 per s`; below one a second `12 per min`. */
export function rate(perSecond: number): string {
  return perSecond >= 1 || perSecond === 0
    ? `${num(Math.round(perSecond))} per s`
    : `${num(Math.round(perSecond * 60))} per min`;
}

/** Two units: `1 h 32 min`; below a minute three digits: `34.2 s`, `201 ms`. */
export function duration(ms: number): string {
  if (ms < 0) return `-${duration(-ms)}`;
  if (Math.round(ms) < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${Number((ms / SECOND).toPrecision(3))} s`;
  const [large, small, unit, unit2] =
    ms < HOUR - SECOND / 2
      ? [MINUTE, SECOND, 'min', 's']
      : ms < DAY - MINUTE / 2
        ? [HOUR, MINUTE, 'h', 'min']
        : [DAY, HOUR, 'd', 'h'];
  const rounded = Math.round(ms / small) * small;
  const rest = Math.floor((rounded % large) / small);
  return `${num(Math.floor(rounded / large))} ${unit}${rest === 0 ? '' : ` ${rest} ${unit2}`}`;
}

/** One unit, rounded down, for narrow cells: `31 min`. */
export function short(ms: number): string {
  const age = Math.max(0, ms);
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  return `${num(Math.floor(age / DAY))} d`;
}

/** How long something lasts, in whole seconds: `22 min 4 s`. It changes with the clock. */
export function lasts(at: Moment): string {
  const age = Math.max(0, now.value - msOf(at));
  return duration(age < MINUTE ? Math.max(SECOND, floorTo(age, SECOND)) : floorTo(age, MINUTE));
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

/** `22 min ago`, `in 18 s` */
export function ago(at: Moment): string {
  const age = now.value - msOf(at);
  if (age < -500) return `in ${short(-age + 500)}`;
  return age < SECOND ? 'now' : `${short(age)} ago`;
}

/** `18:42` within the last 20 hours, else `13 Nov`. */
export function since(at: Moment): string {
  const ms = msOf(at);
  const { day, month, year, time } = partsOf(ms);
  if (Math.abs(now.value - ms) < 20 * HOUR) return time.slice(0, 5);
  return `${day} ${MONTHS[month]}${year === partsOf(now.value).year ? '' : ` ${year}`}`;
}

/** `18:42` */
export function hourMinute(at: Moment): string {
  return partsOf(msOf(at)).time.slice(0, 5);
}

/** `20:14:08` */
export function timeOfDay(at: Moment): string {
  return partsOf(msOf(at)).time.slice(0, 8);
}

/** `20:14:08.123` */
export function timeMs(at: Moment): string {
  return partsOf(msOf(at)).time;
}

/** `2026-11-16 20:14:08.123 UTC` */
export function absolute(at: Moment): string {
  const { year, month, day, time } = partsOf(msOf(at));
  return `${year}-${two(month + 1)}-${two(day)} ${time} ${zoneName(msOf(at))}`;
}

export function msOf(at: Moment): number {
  return typeof at === 'number' ? at : Date.parse(at);
}

function zoneName(ms: number): string {
  if (zone.value === 'utc') return 'UTC';
  const minutes = -new Date(ms).getTimezoneOffset();
  const abs = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(abs / 60))}:${two(abs % 60)}`;
}

function partsOf(ms: number) {
  const offsetMs = zone.value === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * MINUTE;
  const date = new Date(ms + offsetMs);
  const time = Number.isFinite(ms) ? date.toISOString().slice(11, 23) : '';
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate(), time };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** An id for lists, cut in the middle: ids that were made together begin alike. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 6)}…${id.slice(-5)}`;
}

/** `3 jobs`, `1 job`, `10,000+ jobs` where counting stopped. */
export function plural(count: number, noun: string, many = `${noun}s`, isBound = false): string {
  return `${bounded(count, isBound)} ${count === 1 && !isBound ? noun : many}`;
}

/** `Two`; above ten `11`. */
export function words(count: number): string {
  return WORDS[count] ?? num(count);
}

/** `Two breakers are not closed`: the verb agrees with the number. */
export function sentence(count: number, one: string, many: string): string {
  return `${words(count)} ${count === 1 ? one : many}`;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The pattern of a cause for people: `orders-‹n›.csv does not exist`. */
export function causeText(pattern: string): string {
  const text = pattern
    .replace(/^verdict:\w+(?:: )?/, '')
    .replace(/^Error: /, '')
    .replaceAll(/<(\w[\w -]*)>/g, '‹$1›');
  return text === '' ? pattern || 'No error is recorded' : text;
}

/** `cli:ops: “INC-7”`; without a reason the name alone. */
export function whoAndWhy(by: string, why: string | null): string {
  return why === null ? by : `${by}: “${why}”`;
}
