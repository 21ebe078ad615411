import { expect, test } from 'vitest';
import { storeLine } from './store-settings.ts';

test.each([
  ['a block', 'version: 7\nstore:\n  url: sqlite:./jobs.db\n', 'sqlite:/app/jobs.db'],
  ['quotes', 'store:\n  url: "sqlite:./jobs.db" # here\n', 'sqlite:/app/jobs.db'],
  ['one line', "store: { url: 'sqlite:./jobs.db' }\n", 'sqlite:/app/jobs.db'],
  ['JSON', '{"store": {"url": "postgres://me@db/app"}, "polices": }', 'postgres://me@db/app'],
  ['tabs', 'store:\n\turl: postgres://db/app\npolicies: [', 'postgres://db/app'],
  [
    'a comment before',
    '# store:\nstore:\n  # url: sqlite:old.db\n  url: sqlite:new.db',
    'sqlite:/app/new.db',
  ],
  [
    'another url',
    'hooks:\n  url: sqlite:no.db\nstore:\n  url: sqlite:yes.db\n',
    'sqlite:/app/yes.db',
  ],
  [
    'a schema',
    'store:\n  url: postgres://db/app\n  schema: jobs\n',
    'postgres://db/app?schema=jobs',
  ],
  ['garbage around it', '}}}\n\u0007\nstore:\n   url:   sqlite:x.db\n: : :', 'sqlite:/app/x.db'],
])('the store line is read tolerantly: %s', (_, text, url) => {
  expect(storeLine(text, 'redrive.yaml', '/app')).toEqual({ url, isNamed: true });
});

test('a text without a store, and one whose store cannot be read', () => {
  expect(storeLine('version: 7\nstored: true\n', 'redrive.yaml', '/app')).toEqual({
    isNamed: false,
  });
  expect(
    storeLine('store:\n  ulr: sqlite:x.db\nhooks:\n  url: sqlite:y.db\n', 'redrive.yaml', '/app'),
  ).toEqual({
    isNamed: true,
  });
});
