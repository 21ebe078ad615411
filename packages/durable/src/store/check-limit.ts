import { RedriveError } from '@redrive/core';
import { MAX_FAILING_SCAN } from './store.ts';

/** @throws RedriveError `invalid_option` unless it is a whole number from 1 to 1,000. */
export function checkLimit(name: string, limit: number): void {
  checkWhole(name, limit, 1_000);
}

/** @throws RedriveError `invalid_option` unless it is a whole number from 1 to `MAX_FAILING_SCAN`. */
export function checkFailingScan(atMost: number): void {
  checkWhole('atMost', atMost, MAX_FAILING_SCAN);
}

function checkWhole(name: string, limit: number, max: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return;
  const most = max.toLocaleString('en');
  throw new RedriveError('invalid_option', `${name} must be from 1 to ${most}, not ${limit}`, {
    [name]: limit,
  });
}
