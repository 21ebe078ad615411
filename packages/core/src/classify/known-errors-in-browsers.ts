import { classifyStatus } from './classify-status.ts';
import { CORE_ERRORS } from './core-errors.ts';
import { fields, hintOf, statusOf } from './error-facts.ts';
import type { classifyKnown as withTables } from './known-errors.ts';

/** In bundles for browsers, instead of the tables: the short rule of HTTP statuses. */
export const classifyKnown: typeof withTables = (causes, { nowMs }, own) => {
  for (const each of causes) {
    const status = statusOf(each);
    const known =
      own(fields(each), CORE_ERRORS) ??
      (status ? classifyStatus(status, hintOf(each, nowMs) !== undefined) : undefined);
    if (known) return known;
  }
  return undefined;
};
