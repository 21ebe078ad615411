import { RedriveError } from '@redrive/core';

/** @throws RedriveError `invalid_option` unless it is a whole number from 1 to 1,000. */
export function checkLimit(name: string, limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return;
  throw new RedriveError('invalid_option', `${name} must be from 1 to 1,000, not ${limit}`, {
    [name]: limit,
  });
}
