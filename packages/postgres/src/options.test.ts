import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from './open-store.ts';
import { resolveStoreOptions, resolveTarget } from './options.ts';

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
