import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseInput } from './parse-input.ts';
import { isRefusal } from './refusal.ts';
import { duration, nameText, PAGE, text } from './scalars.ts';

const input = z.strictObject({
  name: nameText(),
  note: text(20).optional(),
  state: z.enum(['ready', 'dead', 'parked']).optional(),
  jobs: z
    .array(z.strictObject({ id: text() }))
    .min(1)
    .max(2)
    .optional(),
  wait: duration.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  isDry: z.boolean().optional(),
  size: z.number().int().min(1).max(1_000).optional(),
  at: z.iso.datetime().optional(),
  limit: PAGE.limit,
});

function problemsOf(given: object): string[] {
  try {
    parseInput({ input }, { name: 'mail', ...given });
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.problems.map(({ field, message }) => `${field} ${message}`);
  }
}

test.each<[object, string]>([
  [{ name: undefined }, 'name is missing'],
  [{ name: 5 }, 'name must be a text, not 5'],
  [{ name: '' }, 'name must not be empty'],
  [
    { note: 'x'.repeat(2_000) },
    `note must be a text of at most 20 characters, not ${'x'.repeat(60)}… (2,000 characters)`,
  ],
  [{ state: 'ded' }, 'state must be ready, dead or parked, not ded'],
  [{ jobs: [] }, 'jobs must not be empty'],
  [{ jobs: {} }, 'jobs must be a list, not an object'],
  [{ jobs: [{ id: 1 }] }, 'jobs.0.id must be a text, not 1'],
  [{ jobs: [{ id: 'a', state: 1 }] }, 'jobs.0.state is not a known field'],
  [{ handlr: 'mail' }, 'handlr is not a known field'],
  [{ wait: [] }, 'wait must be a number or a text, not a list of 0'],
  [
    { wait: 'x'.repeat(65) },
    `wait must be a text of at most 64 characters, not ${'x'.repeat(60)}… (65 characters)`,
  ],
  [{ headers: 'none' }, 'headers must be an object, not none'],
  [{ headers: { a: 1 } }, 'headers.a must be a text, not 1'],
  [{ isDry: 'yes' }, 'isDry must be true or false, not yes'],
  [{ size: 1.5 }, 'size must be a whole number, not 1.5'],
  [{ size: 0 }, 'size must be at least 1, not 0'],
  [{ size: 1_001 }, 'size must be at most 1,000, not 1001'],
  [{ size: null }, 'size must be a number, not null'],
  [{ at: 'today' }, 'at must be a time such as 2027-01-31T08:00:00Z, not today'],
  [{ limit: {} }, 'limit must be a number or a text, not an object'],
])('%o is refused in a sentence', (given, problem) => {
  expect(problemsOf(given)).toEqual([problem]);
});
