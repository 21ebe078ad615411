import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { normaliseMessage } from './normalise-message.ts';

/** Messages of one cause each, as libraries write them. */
const CAUSES: readonly (readonly [pattern: string, ...messages: string[]])[] = [
  [
    'connect ECONNREFUSED <addr>',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'connect ECONNREFUSED 10.12.0.9:6379',
    'connect ECONNREFUSED ::1:5432',
    'connect ECONNREFUSED db-7.internal.example:5432',
  ],
  ['getaddrinfo ENOTFOUND api.example.com', 'getaddrinfo ENOTFOUND api.example.com'],
  ['getaddrinfo ENOTFOUND db.example.com', 'getaddrinfo ENOTFOUND db.example.com'],
  ['read ECONNRESET', 'read ECONNRESET'],
  [
    'login failed: password=[masked] for bob',
    'login failed: password=hunter2 for bob',
    'login failed: password=correct-horse for bob',
  ],
  [
    'ENOENT: no such file or directory, open <str>',
    "ENOENT: no such file or directory, open '/tmp/upload-8f2a1c/1.csv'",
    "ENOENT: no such file or directory, open '/data/it''s here.csv'",
  ],
  [
    'SMTP 550 mailbox unavailable for <addr>',
    'SMTP 550 mailbox unavailable for bob@example.com',
    'SMTP 550 mailbox unavailable for eve@example.org',
  ],
  ['SMTP 451 mailbox unavailable for <addr>', 'SMTP 451 mailbox unavailable for bob@example.com'],
  [
    'Message failed: 550 5.1.1 <<addr>>: Recipient address rejected',
    'Message failed: 550 5.1.1 <bob@example.com>: Recipient address rejected',
    'Message failed: 550 5.1.1 <eve@example.org>: Recipient address rejected',
  ],
  ['Message failed: 421-4.7.0 Try again later', 'Message failed: 421-4.7.0 Try again later'],
  [
    '550 no such user <n>, queue id <id>',
    '550 no such user 4711, queue id 4TXR8B2V1Q0Z9K3M',
    '550 no such user 12, queue id 9AAR8B2V1Q0Z9K77',
  ],
  [
    'upstream answered 503 Service Unavailable after <n> ms',
    'upstream answered 503 Service Unavailable after 1200 ms',
    'upstream answered 503 Service Unavailable after 31 ms',
  ],
  [
    'upstream answered 502 Bad Gateway after <n> ms',
    'upstream answered 502 Bad Gateway after 31 ms',
  ],
  ['429 Too Many Requests', '429 Too Many Requests'],
  ['expected <n> rows, got <n>', 'expected 500 rows, got 404', 'expected 501 rows, got 403'],
  ['order <n> is too large', 'order 550 is too large', 'order 551 is too large'],
  ['reply code 554 from mx', 'reply code 554 from mx'],
  ['Request failed with status code 404', 'Request failed with status code 404'],
  ['Request failed with status code 503', 'Request failed with status code 503'],
  ['timeout of <n>ms exceeded', 'timeout of 5000ms exceeded', 'timeout of 30000ms exceeded'],
  [
    'The operation took <n>s and was given up after <n> attempts',
    'The operation took 1.5s and was given up after 3 attempts',
    'The operation took 12s and was given up after 10 attempts',
  ],
  [
    'duplicate key value violates unique constraint <str>',
    'duplicate key value violates unique constraint "users_email_key"',
    'duplicate key value violates unique constraint "orders_pkey"',
  ],
  [
    'relation <str> does not exist',
    'relation "public.users" does not exist',
    'relation "x" does not exist',
  ],
  ['deadlock detected', 'deadlock detected'],
  [
    'Process <n> waits for ShareLock on transaction <n>; blocked by process <n>.',
    'Process 16223 waits for ShareLock on transaction 5167; blocked by process 16217.',
    'Process 99 waits for ShareLock on transaction 700012; blocked by process 1.',
  ],
  [
    'terminating connection due to administrator command',
    'terminating connection due to administrator command',
  ],
  [
    'Error 1062: Duplicate entry <str> for key <str>',
    "Error 1062: Duplicate entry '42' for key 'PRIMARY'",
    "Error 1062: Duplicate entry 'bob@example.com' for key 'users.email'",
  ],
  [
    'Error 1213: Deadlock found when trying to get lock',
    'Error 1213: Deadlock found when trying to get lock',
  ],
  [
    'E<n> duplicate key error collection: shop.users index: email_<n> dup key: { email: <str> }',
    'E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "a@b.c" }',
    'E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "long" }',
  ],
  [
    'No document found for id <str>',
    'No document found for id "65b7e0f2a1c4d8e9f0123456"',
    "No document found for id '65b7e0f2a1c4d8e9f0aaaaaa'",
  ],
  [
    'No messages found for <id>',
    'No messages found for 65b7e0f2a1c4d8e9f0123456',
    'No messages found for 550e8400-e29b-41d4-a716-446655440000',
    'No messages found for 12345678-1234-1234-1234-123456789012',
    'No messages found for V1StGXR8_Z5jdHi6B-myT',
    'No messages found for 01HX3F8Z2K9QW7ABCD3EFGH4JK',
    'No messages found for 0lq3x8k2a000abcd1234',
    'No messages found for e83c5163316f89bfbde7d9ab23ca2e25604af290',
  ],
  [
    'No such customer: cus_<id>',
    'No such customer: cus_NffrFeUfNV2Hib',
    'No such customer: cus_9s6XKzkNRiz8i3',
  ],
  [
    'No such PaymentIntent: pi_<id>',
    'No such PaymentIntent: pi_3MtwBwLkdIwHu7ix28a3tqPa',
    'No such PaymentIntent: pi_1Gt0582eZvKYlo2C5Dv8xYzQ',
  ],
  [
    'User <addr> is not allowed',
    'User bob@example.com is not allowed',
    'User alice.b+test@mail.example.org is not allowed',
  ],
  [
    'GET https://api.example.com/v<n>/users/<n>?<query> failed',
    'GET https://api.example.com/v1/users/42?expand=all&page=2 failed',
    'GET https://api.example.com/v1/users/7#top failed',
  ],
  [
    'GET http://<addr>/health: socket hang up',
    'GET http://10.0.0.5:8080/health: socket hang up',
    'GET http://[fe80::1]:80/health: socket hang up',
    'GET http://node-3.example.com:8080/health: socket hang up',
  ],
  [
    'request to postgres://db.example.com/app timed out',
    'request to postgres://bob:hunter2@db.example.com/app timed out',
    'request to postgres://eve:pa55@db.example.com/app timed out',
  ],
  [
    'Token expired at <time>',
    'Token expired at 2026-01-29T12:00:00.000Z',
    'Token expired at 2026-01-29 12:00:00',
    'Token expired at Thu Jan 29 2026 12:00:00 GMT+0000 (Coordinated Universal Time)',
    'Token expired at Thu, 29 Jan 2026 12:00:00 GMT',
    'Token expired at 1/29/2026, 12:00:00 PM',
    'Token expired at 12:00:00.123',
    'Token expired at 2026-01-29',
  ],
  [
    'The specified key does not exist. (Service: S<n>, Status Code: 404, Request ID: <id>)',
    'The specified key does not exist. (Service: S3, Status Code: 404, Request ID: 4TXR8B2V1Q0Z9K3M)',
    'The specified key does not exist. (Service: S3, Status Code: 404, Request ID: 9AAR8B2V1Q0Z9K77)',
  ],
  [
    'Rate exceeded for account <n> in us-east-<n>',
    'Rate exceeded for account 123456789012 in us-east-1',
    'Rate exceeded for account 210987654321 in us-east-2',
  ],
  [
    '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED <addr>'.replace(
      '14',
      '<n>',
    ),
    '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 10.0.0.1:50051',
    '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 10.0.0.2:50051',
  ],
  [
    'pod api-<id> was evicted',
    'pod api-7d9f8b6c5d-x2x4z was evicted',
    'pod api-5f7c9d4b88-zxqwv was evicted',
  ],
  [
    'Cannot read properties of undefined (reading <str>)',
    "Cannot read properties of undefined (reading 'id')",
    "Cannot read properties of undefined (reading 'user's name')",
  ],
  ["can't set headers after they are sent", "can't set headers after they are sent"],
  [
    'Unexpected token < in JSON at position <n>',
    'Unexpected token < in JSON at position 0',
    'Unexpected token < in JSON at position 4711',
  ],
  [
    'upstream said {"code":<str>,"status":404,"at":<str>}',
    'upstream said {"code":"not_found","status":404,"at":"2026-01-29"}',
    'upstream said {"code":"NotFound","status":404,"at":"2025-01-29"}',
  ],
  ['upstream said {"error":<str>,"status":500}', 'upstream said {"error":"boom","status":500}'],
  ['exited with code 137', 'exited with code 137'],
  ['exited with code 1', 'exited with code 1'],
  ['SQLSTATE 42P01 while reading', 'SQLSTATE 42P01 while reading'],
  ['SQLSTATE 23505 while reading', 'SQLSTATE 23505 while reading'],
  [
    'worker-<n> lost job_<n>_<id> after <n> of <n> MiB',
    'worker-17 lost job_1706534400000_0abc12x after 12 of 512 MiB',
    'worker-3 lost job_1706534400123_9zzz99y after 1 of 64 MiB',
  ],
  ['Allocation failed at <id>', 'Allocation failed at 0x7ffd3c2a', 'Allocation failed at 0x1'],
  ['Zeile <n>: Ungültiges Zeichen', 'Zeile 12: Ungültiges Zeichen', 'Zeile ٣: Ungültiges Zeichen'],
  ['注文 <n> が見つかりません', '注文 12345 が見つかりません', '注文 9 が見つかりません'],
  ['', ''],
];

test.each(CAUSES)('%s', (pattern, ...messages) => {
  expect(messages.map(normaliseMessage)).toEqual(messages.map(() => pattern));
});

test('every cause has a fingerprint of its own, and all its messages share it', () => {
  const seen = new Set<string>();
  for (const [, ...messages] of CAUSES) {
    const own = new Set(
      messages.map((message) => fingerprintOf({ type: 'E', message }).fingerprint),
    );
    expect(own.size).toBe(1);
    for (const one of own) seen.add(one);
  }
  expect(seen.size).toBe(CAUSES.length);
});

test('a fingerprint names its version, and has the same value for ever', () => {
  expect(fingerprintOf({ type: 'TimeoutError', message: 'no answer after 5000 ms' })).toEqual({
    fingerprint: 'fp1:2ccd393c0ad736b4',
    pattern: 'TimeoutError: no answer after <n> ms',
  });
});

test('the type counts, the case of the message does not', () => {
  const of = (type: string, message: string) => fingerprintOf({ type, message }).fingerprint;
  expect(of('A', 'it failed')).not.toBe(of('B', 'it failed'));
  expect(of('A', 'It Failed')).toBe(of('A', 'it failed'));
  expect(of('A: it', 'failed')).not.toBe(of('A', 'it: failed'));
  expect(fingerprintOf({ type: 'A', message: '' }).pattern).toBe('A');
});

test('where a long message was cut makes no difference', () => {
  const cut = (text: string) => `${text.slice(0, 499)}…`;
  const message = (id: string) =>
    `${'The quick brown fox jumps. '.repeat(9)}${id} ${'x '.repeat(300)}`;
  const one = normaliseMessage(cut(message('1')));
  expect(normaliseMessage(cut(message('12345678901234567890')))).toBe(one);
  expect(one.length).toBe(200);
  expect(normaliseMessage(cut(`no "${'a'.repeat(600)}`))).toBe('no <str>');
  expect(normaliseMessage(cut(`no "${'b '.repeat(300)}`))).toBe('no <str>');
});

test('holds no secret, no control character, no half character', () => {
  const message = `\u001b[31mno\n\tpassword=hunter2 ${'😀'.repeat(700)}\ud800`;
  const pattern = normaliseMessage(message);
  expect(pattern).not.toMatch(/hunter2|\p{Cc}/u);
  expect(pattern.isWellFormed()).toBe(true);
});

describe('any text', () => {
  test('becomes a short, well-formed line, and the same one again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (message) => {
        const pattern = normaliseMessage(message);
        expect(pattern.length).toBeLessThanOrEqual(200);
        expect(pattern.isWellFormed()).toBe(true);
        expect(pattern).not.toMatch(/\p{Cc}/u);
        expect(normaliseMessage(message)).toBe(pattern);
      }),
    );
  });

  test('takes a short time, however it is made', () => {
    const worst = [
      '"',
      "'",
      '`',
      '«',
      '\\"',
      '[',
      '1.',
      'a.',
      'a-',
      '1:',
      ':',
      '0x',
      '1/',
      'a_1',
      'ab://',
      '+',
      '/',
      '{"',
      'a@',
      'Jan 1',
      '1706534400000',
      '12:',
      '😀',
      '\u0301',
      ' ',
    ];
    for (const part of worst) {
      for (const end of ['', '!', '"', ' 1']) {
        const text = part.repeat(1_000_000 / part.length) + end;
        const before = process.cpuUsage().user;
        fingerprintOf({ type: 'E', message: text });
        expect((process.cpuUsage().user - before) / 1_000, part).toBeLessThan(250);
      }
    }
  });
});
