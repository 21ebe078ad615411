import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { ROUTES } from './routes/index.ts';
import { api } from './testing/api.ts';
import { type Schema, sampleOf } from './testing/samples.ts';
import { withStates } from './testing/states.ts';

/** Values that a database, a file system, an object, a number or a time may not be able to hold. */
const VALUES: readonly unknown[] = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '..',
    '../../etc/passwd',
    '%',
    '%00',
  ],
  ...[
    '\0',
    '\ud800',
    '\udfff',
    '\u202e',
    '\x1b[2J',
    '{}',
    '[]',
    '"',
    "' or 1=1 --",
    '*',
    '\\',
    '|',
  ],
  ...['9'.repeat(400), 'x'.repeat(513), 'x'.repeat(512), '-1', '1e309', 'NaN', '-0', '0x10', '1_0'],
  ...['9999-12-31T23:59:59.999999999Z', '0000-01-01T00:00:00Z', '2027-02-30T00:00:00Z', '', ' '],
  ...['9007199254740993', '99999999999999999999', 'true', 'null', '0', '100000000'],
  ...[
    {},
    [],
    [[]],
    JSON.parse('{"__proto__": {"x": 1}}'),
    null,
    0,
    -1,
    1e308,
    2 ** 53,
    0.1,
    true,
    [null],
    ['x'.repeat(513)],
  ],
];

/** Inputs that have a value at one place each, and fit otherwise. */
function inputsWith(schema: Schema, value: unknown): readonly unknown[] {
  const { properties = {}, anyOf, oneOf = anyOf ?? [], items } = schema;
  return [
    ...oneOf.flatMap((each) => inputsWith(each, value)),
    ...(items === undefined ? [] : inputsWith(items, value).map((item) => [item])),
    ...Object.entries(properties).flatMap(([name, property]) =>
      [value, ...inputsWith(property, value)].map((each) => ({
        ...Object(sampleOf(schema)),
        [name]: each,
      })),
    ),
  ];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const LONGEST_STREAM_MS = 900_000;
const FIXED: Readonly<Record<string, string>> = { collection: 'archives' };

test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s never answers hostile input with an error of the server',
  async (_, route) => {
    if (route.stream === 'text/event-stream') return;
    const { call, token, store, clock } = await api(onTestFinished);
    await withStates(store);
    const admin = await token({ role: 'admin' });
    const schema = z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }) as Schema;
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const bad: unknown[] = [];
    for (const value of VALUES) {
      for (const input of [{}, ...inputsWith(schema, value)]) {
        // A stream that follows the log ends at once, unless the hostile value is a time.
        const ends = route.endless ? { for: '0s' } : {};
        const given = { reason: 'x', ...ends, ...Object(input) } as Record<string, unknown>;
        const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
          const part =
            given[name] ?? (Object.keys(Object(input)).length === 0 ? value : (FIXED[name] ?? 'x'));
          return encodeURIComponent(textOf(part).toWellFormed()) || '%20';
        });
        const rest = Object.fromEntries(
          Object.entries(given).filter(([name]) => !names.includes(name)),
        );
        const pairs = Object.entries(rest).map(([name, each]) => [name, textOf(each)]);
        const query = route.method === 'GET' ? `?${new URLSearchParams(pairs)}` : '';
        const asked = call(route.method, (path + query).slice(0, 8_000), {
          token: admin,
          body: rest,
        });
        if (route.endless) await clock.advance(LONGEST_STREAM_MS);
        const answer = await asked;
        if (answer.statusCode >= 500)
          bad.push([value, input, answer.statusCode, answer.body.slice(0, 200)]);
        await clock.advance(1);
      }
    }
    expect(bad.slice(0, 5)).toEqual([]);
  },
  60_000,
);
