import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_SYNC, testServer } from '../testing/server.ts';
import {
  bytesArray,
  joinedTexts,
  onceIfAlike,
  plainArray,
  splitSql,
  textArray,
} from './array-literal.ts';

const server = testServer(NO_SYNC);

it('every list of texts comes back from Postgres as it was', async () => {
  // Postgres has no NUL in texts, and JavaScript's lone surrogates are no text.
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));
  const odd = fc.constantFrom('', 'NULL', '"', '\\', '{}', ',', ' a ', '\\"', '\n', "'", '{a,b}');
  const lists = fc.array(fc.oneof(text, odd, fc.constant(null)), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const [row] = await server.sql('select $1::text[] as list', [textArray(list)]);
      expect(row?.list).toEqual(list.every((one) => one === null) ? null : list);
    }),
    { numRuns: 200 },
  );
});

it('numbers, truth and bytes do too', async () => {
  const [row] = await server.sql(
    'select $1::bigint[]::text as n, $2::boolean[] as t, $3::bytea[] as b',
    [
      plainArray([1, null, 2 ** 53 - 1, -5]),
      plainArray([true, undefined]),
      bytesArray([new Uint8Array([0, 255, 92, 34]), null]),
    ],
  );
  expect(row?.n).toBe('{1,NULL,9007199254740991,-5}');
  expect(row?.t).toEqual([true, null]);
  expect(row?.b).toEqual([Buffer.from([0, 255, 92, 34]), null]);
});

it('an array of default values is null', () => {
  expect(textArray([null, undefined])).toBeNull();
  expect(plainArray([0, 0], 0)).toBeNull();
  expect(plainArray([0, 1], 0)).toBe('{0,1}');
  expect(plainArray([undefined])).toBeNull();
});

it('joined texts come back one by one, an empty one as null', async () => {
  const texts = ['{"a":"b"}', null, 'x', undefined, '', '[1,\n2]'];
  const [row] = await server.sql(`select ${splitSql('$1::text')} as list`, [joinedTexts(texts)]);
  expect(row?.list).toEqual(['{"a":"b"}', null, 'x', null, null, '[1,\n2]']);
  expect(joinedTexts([null, ''])).toBeNull();
});

it('joined texts do not shift where one has what separates them', async () => {
  const [row] = await server.sql(`select ${splitSql('$1::text')} as list`, [
    joinedTexts(['"a\u0001b"', '"c"']),
  ]);
  expect(row?.list).toEqual(['"a\\u0001b"', '"c"']);
  expect(JSON.parse('"a\\u0001b"')).toBe('a\u0001b');
});

it('what is alike goes once', () => {
  expect(onceIfAlike(['a', 'a', 'a'])).toEqual(['a']);
  expect(onceIfAlike(['a', 'b', 'a'])).toEqual(['a', 'b', 'a']);
  expect(onceIfAlike([])).toEqual([]);
});
