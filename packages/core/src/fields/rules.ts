import type { FieldRule } from './check-fields.ts';

/** A rule of one's own: `must` is how messages describe the value. */
export function check(
  must: string,
  obeys: (value: unknown, all: Readonly<Record<string, unknown>>) => boolean,
): FieldRule {
  return { kind: 'check', must, obeys };
}

/** A port: an object with the methods that the text names, which are those that its users call first. */
export function port(must: string): FieldRule {
  const methods = must.match(/\w+(?=\(\))/g) ?? [];
  return check(must, (value) => methods.every((name) => typeof Object(value)[name] === 'function'));
}

const LEDGER = 'a ledger with reserve(), renew(), complete(), fail(), look()';

export const aClock = /* @__PURE__ */ port('a clock with now(), monotonic() and setTimer()');
export const aSink = /* @__PURE__ */ port('a sink with emit() and open()');
export const aKillSwitch = /* @__PURE__ */ port('a kill switch with isEngaged()');
export const aLedger = /* @__PURE__ */ port(`${LEDGER} and clear()`);
export const aOnceLedger = /* @__PURE__ */ port(`${LEDGER}, clear() and once()`);

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object(value) === value && !Array.isArray(value);
}

/** An ISO 8601 time. Engines differ about the 30th of February: some take it for a day in March, so the day is compared. */
export function isTime(value: unknown): boolean {
  const pattern = /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
  const text = typeof value === 'string' ? value : '';
  const date = pattern.exec(text)?.[1];
  // The day itself may lie outside of the range.
  const day = new Date(`${date}T00:00Z`);
  if (date === undefined || Number.isNaN(Date.parse(text)) || Number.isNaN(+day)) return false;
  return day.toISOString().startsWith(date);
}
