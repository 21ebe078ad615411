import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from './open-store.ts';
import { type PostgresStoreOptions, resolveStoreOptions, resolveTarget } from './options.ts';

describe('options', () => {
  it('have defaults', () => {
    expect(resolveStoreOptions({})).toMatchObject({ schema: 'redrive', timeoutMs: 10_000 });
  });

  it.each(['', 'Jobs', 'a-b', '1a', 'x"; drop schema public; --', 'a'.repeat(41)])(
    'refuse the schema name %j',
    (schema) => {
      expect(() => resolveStoreOptions({ schema })).toThrow(/schema must/);
    },
  );

  it('tell all problems at once', () => {
    const given = { schema: 'No', timeoutMs: 1, nonsense: 1 };
    expect(() => resolveStoreOptions(given)).toThrow(
      /nonsense is unknown.*timeoutMs must.*schema must/,
    );
  });
});

describe('where the database is', () => {
  it('is said by a URL or a pool, not by both and not by none', async () => {
    const pool = new Pool();
    expect(resolveTarget('postgres://h/d')).toMatchObject({ url: 'postgres://h/d' });
    expect(resolveTarget({ pool }).pool).toBe(pool);
    expect(() => resolveTarget({})).toThrow('Give either url or pool');
    expect(() => resolveTarget({ pool, url: 'postgres://h/d' })).toThrow('Give either url or pool');
    await pool.end();
  });

  it('is named without credentials in errors', async () => {
    const opening = openStore('postgres://someone:secret@127.0.0.1:1/db', { timeoutMs: 500 });
    await expect(opening).rejects.toMatchObject({ code: 'store_unavailable' });
    const error: Error = await opening.then(
      () => Promise.reject(new Error('It was opened')),
      (reason) => reason,
    );
    expect(error.message).toContain('postgres://127.0.0.1:1/db');
    expect(JSON.stringify(error) + error.message + String(error.cause)).not.toContain('secret');
  });
});

describe('the address', () => {
  const options = (url: string, given: PostgresStoreOptions = {}) => {
    const { url: place, inAddress } = resolveTarget(url);
    const { schema, connections } = resolveStoreOptions(given, inAddress);
    return { url: place, schema, connections };
  };

  it('names the schema and the number of connections, and the driver gets neither', () => {
    expect(options('postgres://h/d?sslmode=require&connections=3&schema=shop')).toEqual({
      url: 'postgres://h/d?sslmode=require',
      schema: 'shop',
      connections: 3,
    });
    expect(options('postgres://h/d?connections=2', { connections: 2 })).toEqual({
      url: 'postgres://h/d',
      schema: 'redrive',
      connections: 2,
    });
  });

  it.each([
    ['postgres://h/d?connections=5', {}, 'connections must be a whole number from 2 to 4, not 5'],
    [
      'postgres://h/d?connections=two',
      {},
      'connections must be a whole number from 2 to 4, not the string "two"',
    ],
    [
      'postgres://h/d?connections=',
      {},
      'connections must be a whole number from 2 to 4, not the string ""',
    ],
    [
      'postgres://h/d?connections=2&connections=3',
      {},
      'The address of the store has 2 values for connections: 2, 3. Give one',
    ],
    [
      'postgres://h/d?connections=2',
      { connections: 3 },
      'The option connections is 3, but the address has connections 2. Give one',
    ],
    [
      'postgres://h/d?schema=a',
      { schema: 'b' },
      'The option schema is b, but the address has schema a. Give one',
    ],
  ] as const)('%s with %j is refused', (url, given, message) => {
    expect(() => options(url, given)).toThrow(message);
  });
});
