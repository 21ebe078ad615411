import { RedriveError } from '@redrive/core';
import { expect, test } from 'vitest';
import { EXIT, EXIT_MEANINGS } from './exit-codes.ts';
import { describeError } from './report-error.ts';

test('scripts rely on these numbers', () => {
  expect(EXIT).toEqual({
    ok: 0,
    failed: 1,
    usage: 2,
    no_match: 3,
    refused: 4,
    partial: 5,
    not_permitted: 6,
    conflict: 7,
    unreachable: 8,
    differs: 9,
    timed_out: 124,
    interrupted: 130,
  });
  expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
});

test('missing rights are not an unreachable store', () => {
  const error = new RedriveError('store_forbidden', 'permission denied for table jobs');
  expect(describeError(error)).toEqual({ exit: 'not_permitted', message: error.message });
});
