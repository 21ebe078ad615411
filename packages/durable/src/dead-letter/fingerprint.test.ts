import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shown } from './cause/marks.ts';
import { normaliseMessage } from './cause/normalise-message.ts';
import { EXPIRED_GROUP, fingerprintOf } from './fingerprint.ts';

test('the group of what expired has the name that its message has', () => {
  const message = 'the deadline passed before an attempt started';
  expect(fingerprintOf({ type: 'ttl_exceeded', message })).toEqual(EXPIRED_GROUP);
});

/** Messages of one cause each, as libraries write them, with the pattern that people see. */
const CAUSES: readonly (readonly [pattern: string, ...messages: string[]])[] = [
  [
    'connect ECONNREFUSED <addr>:5432',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'connect ECONNREFUSED 10.12.0.9:5432',
    'connect ECONNREFUSED ::1:5432',
    'connect ECONNREFUSED ip-10-22-173-128.eu-central-1.compute.internal:5432',
  ],
  ['connect ECONNREFUSED <addr>:6379', 'connect ECONNREFUSED 10.12.0.9:6379'],
  [
    'read tcp <addr>-><addr>:9042: i/o timeout',
    'read tcp 10.144.195.7:38111->172.110.102.185:9042: i/o timeout',
    'read tcp 10.1.1.7:51001->172.110.102.9:9042: i/o timeout',
  ],
  ['getaddrinfo ENOTFOUND api.example.com', 'getaddrinfo ENOTFOUND api.example.com'],
  ['getaddrinfo ENOTFOUND db.example.com', 'getaddrinfo ENOTFOUND db.example.com'],
  [
    'getaddrinfo ENOTFOUND <addr>.example.com',
    'getaddrinfo ENOTFOUND shard17.example.com',
    'getaddrinfo ENOTFOUND shard3.example.com',
  ],
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
    'ENOENT: no such file or directory, open "/etc/scanner/rules.yaml"',
    "ENOENT: no such file or directory, open '/etc/scanner/rules.yaml'",
  ],
  [
    'SMTP 550 mailbox unavailable for <id>',
    'SMTP 550 mailbox unavailable for bob@example.com',
    'SMTP 550 mailbox unavailable for eve@example.org',
  ],
  ['SMTP 451 mailbox unavailable for <id>', 'SMTP 451 mailbox unavailable for bob@example.com'],
  [
    'Message failed: 550 5.1.1 <<id>>: Recipient address rejected',
    'Message failed: 550 5.1.1 <bob@example.com>: Recipient address rejected',
    'Message failed: 550 5.1.1 <eve@example.org>: Recipient address rejected',
  ],
  ['Message failed: 421-4.7.0 Try again later', 'Message failed: 421-4.7.0 Try again later'],
  [
    'upstream answered 503 Service Unavailable after <time>',
    'upstream answered 503 Service Unavailable after 1200 ms',
    'upstream answered 503 Service Unavailable after 31 ms',
    'upstream answered 503 Service Unavailable after 1m30s',
  ],
  [
    'upstream answered 502 Bad Gateway after <time>',
    'upstream answered 502 Bad Gateway after 31 ms',
  ],
  ['429 Too Many Requests', '429 Too Many Requests'],
  [
    'customer <n> not found',
    'customer 455 not found',
    'customer 456 not found',
    'customer 404 not found',
    'customer 7 not found',
  ],
  ['expected <n> rows, got <n>', 'expected 500 rows, got 404', 'expected 501 rows, got 403'],
  ['order <n> is too large', 'order 550 is too large', 'order 551 is too large'],
  ['reply code 554 from mx', 'reply code 554 from mx'],
  ['Request failed with status code 404', 'Request failed with status code 404'],
  ['Request failed with status code 503', 'Request failed with status code 503'],
  ['timeout of <time> exceeded', 'timeout of 5000ms exceeded', 'timeout of 30000ms exceeded'],
  [
    'The operation took <time> and was given up after <n> attempts',
    'The operation took 1.5s and was given up after 3 attempts',
    'The operation took 12s and was given up after 10 attempts',
  ],
  [
    'duplicate key value violates unique constraint "users_email_key" DETAIL: Key (email)=(<str>) already exists.',
    'duplicate key value violates unique constraint "users_email_key"\nDETAIL:  Key (email)=(bob@example.com) already exists.',
    'duplicate key value violates unique constraint "users_email_key"\nDETAIL:  Key (email)=(eve) already exists.',
  ],
  [
    'duplicate key value violates unique constraint "orders_pkey"',
    'duplicate key value violates unique constraint "orders_pkey"',
  ],
  ['relation "public.users" does not exist', 'relation "public.users" does not exist'],
  ['relation "x" does not exist', 'relation "x" does not exist'],
  [
    'null value in column "price" violates not-null constraint - Failing row contains (<str>).',
    'null value in column "price" violates not-null constraint - Failing row contains (7, Lamp, null).',
    'null value in column "price" violates not-null constraint - Failing row contains (8, Tea "Earl Grey", null).',
  ],
  ['deadlock detected', 'deadlock detected'],
  [
    'Process <n> waits for ShareLock on transaction <n>; blocked by process <n>.',
    'Process 16223 waits for ShareLock on transaction 5167; blocked by process 16217.',
    'Process 99 waits for ShareLock on transaction 700012; blocked by process 1.',
  ],
  [
    'Error 1062: Duplicate entry <str> for key "PRIMARY"',
    "Error 1062: Duplicate entry '42' for key 'PRIMARY'",
    "Error 1062: Duplicate entry '4711' for key 'PRIMARY'",
  ],
  [
    'Error 1062: Duplicate entry <str> for key "users.email"',
    "Error 1062: Duplicate entry 'bob@example.com' for key 'users.email'",
  ],
  [
    'Error 1213: Deadlock found when trying to get lock',
    'Error 1213: Deadlock found when trying to get lock',
  ],
  [
    'E11000 duplicate key error collection: shop.users index: email_<n> dup key: {}',
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
    'No such PaymentIntent: pi_<id>',
    'No such PaymentIntent: pi_3MtwBwLkdIwHu7ix28a3tqPa',
    'No such PaymentIntent: pi_1Gt0582eZvKYlo2C5Dv8xYzQ',
  ],
  [
    'User <name> is not allowed',
    'User bob@example.com is not allowed',
    'User alice is not allowed',
    'User mina.novak is not allowed',
  ],
  ['user service is not allowed', 'user service is not allowed'],
  [
    'Tenant <name> used <n> of <n>',
    'Tenant globex used 11 GB of 10 GB',
    'Tenant acme used 501 of 500',
  ],
  [
    'Payout <n> to <id> was returned: account closed',
    'Payout 7 to DE89 3704 0044 0532 0130 00 was returned: account closed',
    'Payout 912 to FR1420041010050500013M02606 was returned: account closed',
    'Payout 12 to NL91 ABNA 0417 1643 00 was returned: account closed',
  ],
  ['Flight <id> has departed', 'Flight LH440 has departed', 'Flight OS89 has departed'],
  [
    'The requested module "x" does not provide an export named "a"',
    "The requested module 'x' does not provide an export named 'a'",
  ],
  [
    'Material <n> is locked by <name>',
    'Material 227473 is locked by YUSUF41',
    'Material 4 is locked by JONAS',
    'Material 12 is locked by Ana Lima',
  ],
  [
    'GET https://api.example.com/v1/users/<id> failed',
    'GET https://api.example.com/v1/users/42?expand=all&page=2 failed',
    'GET https://api.example.com/v1/users/bob#top failed',
  ],
  [
    'GET http://<addr>:8080/health: socket hang up',
    'GET http://10.0.0.5:8080/health: socket hang up',
    'GET http://[fe80::1]:8080/health: socket hang up',
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
    'Token expired at 29.01.2026',
    'Token expired at 3:47\u202fAM',
    'Token expired at 20260129T120000Z',
  ],
  [
    'The specified key does not exist. (Service: S3, Status Code: 404, Request ID: <id>)',
    'The specified key does not exist. (Service: S3, Status Code: 404, Request ID: 4TXR8B2V1Q0Z9K3M)',
    'The specified key does not exist. (Service: S3, Status Code: 404, Request ID: 9AAR8B2V1Q0Z9K77)',
  ],
  [
    'pod api-<id> was evicted',
    'pod api-7d9f8b6c5d-x2x4z was evicted',
    'pod api-5f7c9d4b88-zxqwv was evicted',
  ],
  [
    'Cannot read properties of undefined (reading "id")',
    "Cannot read properties of undefined (reading 'id')",
  ],
  [
    'Cannot read properties of undefined (reading "price") at mapLine',
    "Cannot read properties of undefined (reading 'price')\n    at mapLine (/app/releases/155/dist/map.js:465:83)\n    at run (/app/main.js:1:1)",
    "Cannot read properties of undefined (reading 'price')\n    at mapLine (/app/dist/map.js:8:1)",
  ],
  [
    'exit code 1: KeyError: "sku"',
    'exit code 1: Traceback (most recent call last):\n  File "/opt/a.py", line 176, in main\n    price = row["sku"]\nKeyError: \'sku\'',
  ],
  [
    'panic: index out of range [<n>] with length <n> at main.pack',
    'panic: index out of range [7] with length 7\n\ngoroutine 96398 [running]:\nmain.pack(0xc0009f2ab5, 0x29)\n\t/src/main.go:32 +0xb39',
    'panic: index out of range [1] with length 0\n\ngoroutine 4 [running]:\nmain.pack(0xc0002faeeb, 0xbc)\n\t/src/main.go:9 +0x1bb',
  ],
  ["can't set headers after they are sent", "can't set headers after they are sent"],
  [
    'Unexpected token < in JSON at position <n>',
    'Unexpected token < in JSON at position 0',
    'Unexpected token < in JSON at position 4711',
  ],
  [
    'HTTP 422: {error card expired}',
    'HTTP 422: {"error":"card expired","charge":"19c0691685721627491f1ca0"}',
    'HTTP 422: {"charge":"11945","error":"card expired"}',
  ],
  [
    'HTTP 422: {error currency not supported}',
    'HTTP 422: {"error":"currency not supported","charge":"37983"}',
  ],
  [
    'HTTP 409: {code ORDER_CLOSED, message Order <n> is closed}',
    'HTTP 409: {"traceId":"40dbb06868e63b016c95e53c11ba9270","code":"ORDER_CLOSED","message":"Order 6 is closed","at":"2026-11-15T12:26:22.…',
    'HTTP 409: {"code":"ORDER_CLOSED","message":"Order 77 is closed","order":{"id":"7fc7c5a4","customer":{"n…',
  ],
  [
    'HTTP 422: {field email, message The email has already been taken.}',
    'HTTP 422: {"errors":{"email":["The email has already been taken."]},"request":"7"}',
  ],
  ['exited with code 137', 'exited with code 137'],
  ['exited with code 1', 'exited with code 1'],
  ['SQLSTATE 42P01 while reading', 'SQLSTATE 42P01 while reading'],
  ['ORA-00001: no row <n>', 'ORA-00001: no row 7', 'ORA-00001: no row 90'],
  ['E_CONN_42 while posting <n>', 'E_CONN_42 while posting 81616'],
  ['E_CONN_17 while posting <n>', 'E_CONN_17 while posting 81616'],
  ['order returned rc=12', 'order returned rc=12'],
  ['HRESULT 0x80070005: no access', 'HRESULT 0x80070005: no access'],
  ['<id> is already paid', 'INV-2026-7 is already paid', 'INV-2026-81 is already paid'],
  [
    'Keys do not hash to the same slot: cart:<n> cart:<n>',
    'Keys do not hash to the same slot: cart:24736 cart:69887',
    'Keys do not hash to the same slot: cart:1 cart:2 cart:3 cart:4',
  ],
  [
    'amount <n> exceeds <n>',
    'amount 844.45 EUR exceeds 9.528,03 USD',
    'amount 1 exceeds -70,493.76',
  ],
  [
    'worker-<n> lost job_<n>_<id> after <n> of <n>',
    'worker-17 lost job_1706534400000_0abc12x after 12 of 512 MiB',
    'worker-3 lost job_1706534400123_9zzz99y after 1 of 64 MiB',
  ],
  [
    'upload of <n> was refused',
    'upload of 12.4 MB was refused',
    'upload of 3GB was refused',
    'upload of 900 bytes was refused',
  ],
  ['closed until <time>', 'closed until 9:30 AM', 'closed until 7:00 am', 'closed until 11:05pm'],
  [
    'no rates for <time> and <time>',
    'no rates for 2026-01-29 and 2026-01-30',
    'no rates for 2026-01-29',
    'no rates for 2026-01-29, 2026-01-30 or 2026-01-31',
  ],
  ['no stock for (<n> x <n>)', 'no stock for (1001 x 3)', 'no stock for (1001 x 3), (1002 x 1)'],
  [
    'GET https://a.example/items/<id> responded 500',
    'GET https://a.example/items/12 responded 500',
  ],
  [
    'GET https://a.example/items/<id> responded 403',
    'GET https://a.example/items/12 responded 403',
  ],
  ['the gateway responded with <n> rows', 'the gateway responded with 500 rows'],
  [
    'customer <name> is suspended',
    'customer Nordlicht is suspended',
    'customer Brightwater GmbH is suspended',
    'customer Olive & Sons is suspended',
  ],
  [
    'HTTP 400: {code invalid, field zip}',
    'HTTP 400: {"errors":[{"code":"invalid","field":"zip","value":"8A"}]}',
    'HTTP 400: {"errors":[{"value":"77-1","field":"zip","code":"invalid"}]}',
  ],
  [
    'cannot parse <path>',
    'cannot parse sales.csv',
    'cannot parse sales_2026.csv',
    'cannot parse hero.psd',
  ],
  ['cannot parse package.json', 'cannot parse package.json'],
  [
    'GET https://cdn.example/img failed',
    'GET https://cdn.example/img?id=7&sig=abc failed',
    'GET https://cdn.example/img?id=9 failed',
  ],
  ['Allocation failed at <id>', 'Allocation failed at 0x7ffd3c2a', 'Allocation failed at 0x1'],
  ['Zeile <n>: Ungültiges Zeichen', 'Zeile 12: Ungültiges Zeichen', 'Zeile ٣: Ungültiges Zeichen'],
  ['Artikel <str> fehlt', 'Artikel „Stuhl grün“ fehlt', 'Artikel „Tisch 80x80“ fehlt'],
  ['注文<n>が見つかりません', '注文12345が見つかりません', '注文9が見つかりません'],
  ['顧客<str>が無効です', '顧客「山本 花子」が無効です', '顧客「田中」が無効です'],
  ['', ''],
];

const seen = (message: string) => shown(normaliseMessage(message));

test.each(CAUSES)('%s', (pattern, ...messages) => {
  expect(seen(messages[0] ?? '')).toBe(pattern);
});

test('every cause has its own fingerprint, which all of its messages share', () => {
  const owners = new Map<string, string>();
  for (const [pattern, ...messages] of CAUSES)
    for (const message of messages) {
      const { fingerprint } = fingerprintOf({ type: 'E', message });
      expect([message, owners.get(fingerprint) ?? pattern]).toEqual([message, pattern]);
      owners.set(fingerprint, pattern);
    }
  expect(owners.size).toBe(CAUSES.length);
});

test('a state behind the word for a customer is no name: each state is a cause', () => {
  const states = {
    account: ['closed', 'blocked', 'frozen', 'overdrawn', 'dormant', 'unverified'],
    user: ['locked', 'disabled', 'deleted', 'unknown', 'inactive'],
    company: ['insolvent', 'dissolved'],
    driver: ['late', 'early'],
    node: ['offline', 'unreachable', 'full'],
    Kunde: ['gesperrt', 'unbekannt', 'gekündigt'],
    client: ['désactivé', 'supprimé'],
  };
  for (const [noun, words] of Object.entries(states))
    for (const word of words)
      expect(seen(`Payout failed: ${noun} ${word}`)).toBe(`Payout failed: ${noun} ${word}`);
  for (const name of ['acme', 'Ahmed', 'fred', 'k.lima'])
    expect(seen(`no rights: user ${name}`)).toBe('no rights: user <name>');
});

test('an error that could come from anywhere has a cause per handler', () => {
  const of = (handler: string, type: string, message: string) =>
    fingerprintOf({ type, message }, handler).fingerprint;
  expect(of('a', 'Error', 'record 7 not found')).not.toBe(of('b', 'Error', 'record 7 not found'));
  expect(of('a', 'NotFoundError', 'record 7')).toBe(of('b', 'NotFoundError', 'record 7'));
  for (const message of ['exit code 1', 'UTF-16 is not supported', 'batch RE-17 is late'])
    expect(of('a', 'Error', message)).not.toBe(of('b', 'Error', message));
  for (const message of ['read ECONNRESET', 'GET https://a.example/x failed', 'no 10.0.0.1:5432']
    .concat(['failed with status code 503', 'ORA-00060: deadlock', 'HTTP 422: {"code":"closed"}'])
    .concat('SAP answered [E_CONN_42]'))
    expect(of('a', 'Error', message)).toBe(of('b', 'Error', message));
});

test('a fingerprint names its version, and has the same value for ever', () => {
  expect(fingerprintOf({ type: 'TimeoutError', message: 'no answer after 5000 ms' })).toEqual({
    fingerprint: 'fp1:35511b41e54256e2',
    pattern: 'TimeoutError: no answer after <time>',
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
  const of = (text: string) => fingerprintOf({ type: 'E', message: text }).fingerprint;
  expect(of(cut(message('1')))).toBe(of(cut(message('12345678901234567890'))));
  expect(of(message('1').slice(0, 470))).not.toBe(of(`${message('1').slice(0, 460)} and more`));
  expect(seen(cut(`no "${'a'.repeat(600)}`))).toBe('no <str>');
  expect(seen(cut(`no "${'b '.repeat(300)}`))).toBe('no <str>');
});

test('holds no secret, no control character, no half character', () => {
  const message = `\u001b[31mno\n\tpassword=hunter2 ${'😀'.repeat(700)}\ud800`;
  const { pattern } = fingerprintOf({ type: 'E', message });
  expect(pattern).not.toMatch(/hunter2|\p{Cc}/u);
  expect(pattern.isWellFormed()).toBe(true);
});

describe('any text', () => {
  test('becomes a short, well-formed line, and the same one again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (message) => {
        const { pattern } = fingerprintOf({ type: 'E', message });
        expect(pattern.length).toBeLessThanOrEqual(203);
        expect(pattern.isWellFormed()).toBe(true);
        expect(pattern).not.toMatch(/\p{Cc}/u);
        expect(fingerprintOf({ type: 'E', message }).pattern).toBe(pattern);
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
