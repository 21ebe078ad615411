import { expect, test } from 'vitest';
import { messageParts } from './message-parts.ts';

/** The varying parts in brackets. */
const marked = (message: string) =>
  messageParts(message)
    .map(({ text, varies }) => (varies ? `[${text}]` : text))
    .join('');

test.each([
  ['customer 456 not found', 'customer [456] not found'],
  ['connect ECONNREFUSED 10.0.0.7:5432.', 'connect ECONNREFUSED [10.0.0.7]:5432.'],
  [
    'duplicate key value violates unique constraint "users_email_key"',
    'duplicate key value violates unique constraint "users_email_key"',
  ],
  [
    `Duplicate entry 'bob@example.com' for key 'email'`,
    `Duplicate entry '[bob@example.com]' for key 'email'`,
  ],
  ['user bob is locked since 2026-01-02 10:00', 'user [bob] is locked since [2026-01-02 10:00]'],
  [
    'HTTP 422 {"id":"a1b2c3d4e5","error":"card expired"}',
    'HTTP 422 {"[id":"a1b2c3d4e5]","error":"card expired"}',
  ],
  ['', ''],
  ['no varying part', 'no varying part'],
])('%s', (message, expected) => {
  expect(marked(message)).toBe(expected);
});

test('the parts together are the message, also of odd texts', () => {
  for (const message of [
    '\ud800 a\n\tb 1',
    '  7 ',
    '{"a":1',
    '\uE000 x',
    'a'.repeat(500),
    '💥'.repeat(250),
  ])
    expect(
      messageParts(message)
        .map(({ text }) => text)
        .join(''),
    ).toBe(message.toWellFormed());
});
