import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { APPLICATION_ID, NEWEST_SCHEMA } from './database/schema.ts';
import { openStore, openStoreWith } from './open-store.ts';
import { enqueueOf } from './testing/commands.ts';
import { NEXT_SCHEMA } from './testing/next-schema.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => {
  place.remove();
});

const open = (path = place.path) => openStoreWith(path, {}, { audit: true, start: withoutThreads });
const make = () => openMade(place.path, {}, { audit: true, start: withoutThreads });

describe('opening a store', () => {
  it('the first write makes the file, a read never does', async () => {
    const store = await open();
    const looks = [
      () => store.counts(),
      () => store.job('a'),
      () => store.pulse([]),
      () => store.controlRevision(),
      () => store.auditBlocks(0, 1),
      () => store.heartbeat([], 1_000),
      () => store.apply([{ kind: 'note', event: 'read', subject: 'command:status', detail: '{}' }]),
    ];
    for (const look of looks) {
      await expect(look()).rejects.toMatchObject({ code: 'store_not_found' });
    }
    await expect(looks[0]?.()).rejects.toThrow(/does not exist\. A worker .* create it/u);
    expect(readdirSync(place.directory)).toEqual([]);
    await store.apply([enqueueOf('a')]);
    expect(existsSync(place.path)).toBe(true);
    for (const look of looks) await look();
    await store.close();
  });

  it('a read of an older file says so, and changes nothing; the first write brings it up to date', async () => {
    await (await make()).close();
    const before = readFileSync(place.path);
    const store = await openStoreWith(
      place.path,
      {},
      { audit: true, start: withoutThreads, schema: NEXT_SCHEMA },
    );
    const needed = NEWEST_SCHEMA + 1;
    const old = { code: 'schema_too_old', details: { schema: NEWEST_SCHEMA, needed } };
    await expect(store.counts()).rejects.toMatchObject(old);
    await expect(store.counts()).rejects.toThrow(
      /schema \d+, and .* needs .* "redrive store migrate"/u,
    );
    const note = { kind: 'note', event: 'read', subject: 's', detail: '{}' } as const;
    await expect(store.apply([note])).rejects.toMatchObject(old);
    expect(readFileSync(place.path).equals(before)).toBe(true);
    await store.apply([enqueueOf('a')]);
    expect((await store.counts()).groups).toMatchObject([{ count: 1 }]);
    await store.close();
  });

  it('finds everything again', async () => {
    const first = await open(`sqlite:${place.path}`);
    expect(first.name).toBe(`sqlite:${place.path}`);
    await first.apply([enqueueOf('a')]);
    await first.close();
    const again = await open();
    expect(await again.job('a')).toMatchObject({ state: 'ready' });
    await again.close();
  });

  it('marks the file, and leaves it in WAL mode at the newest schema', async () => {
    await (await make()).close();
    const db = new DatabaseSync(place.path);
    expect(db.prepare('PRAGMA application_id').get()).toEqual({ application_id: APPLICATION_ID });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: NEWEST_SCHEMA });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare("SELECT value FROM meta WHERE key = 'store_id'").get()).toBeDefined();
    db.close();
  });

  it('can be done by many at once, on a file that is not there yet', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open()));
    await Promise.all(stores.map((store, n) => store.apply([enqueueOf(`job-${n}`)])));
    expect((await stores[0]?.counts())?.groups).toMatchObject([{ count: 4 }]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('follows a link, and takes a path with odd characters', async () => {
    const path = join(place.directory, 'a b%20?#ü.db');
    await (await open(path)).close();
    symlinkSync(path, join(place.directory, 'link.db'));
    await (await open(join(place.directory, 'link.db'))).close();
  });
});

it('a writer that had to be started again is told to watch again, if anybody listens', async () => {
  const watched: unknown[] = [];
  let restart = () => {};
  const store = await openStoreWith(
    place.path,
    {},
    {
      audit: true,
      start: (options) => {
        const caller = withoutThreads(options);
        restart = options.onRestart ?? restart;
        return {
          close: () => caller.close(),
          call: (name, input) => {
            if (name === 'watch') watched.push(input);
            return caller.call(name, input);
          },
        };
      },
    },
  );
  restart();
  const stop = store.watch(() => {});
  restart();
  stop();
  restart();
  await store.close();
  expect(watched).toEqual([true, true, false]);
});

describe('it refuses', () => {
  const refusal = async (path: string) => {
    const error: unknown = await openMade(path, {}, { audit: true, start: withoutThreads }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error;
  };

  it('options that make no sense', async () => {
    await expect(openStore(place.path, { timeoutMs: 0 })).rejects.toMatchObject({
      code: 'invalid_option',
    });
  });

  it('a database in memory, and a URI', async () => {
    for (const path of [':memory:', 'sqlite::memory:', 'file:x.db?mode=memory']) {
      expect(await refusal(path)).toMatchObject({ code: 'store_unsupported' });
    }
  });

  it('what is no path', async () => {
    for (const path of [null, 7, { path: 'x.db' }]) {
      const problems = [{ field: 'path' }];
      const error = await refusal(path as unknown as string);
      expect(error).toMatchObject({ code: 'invalid_option', details: { problems } });
    }
  });

  it('a path that leads nowhere, saying why', async () => {
    const { directory } = place;
    writeFileSync(join(directory, 'file'), '');
    mkdirSync(join(directory, 'folder'));
    const cases = [
      ['', 'the path is empty'],
      [join(directory, 'none', 'x.db'), 'does not exist'],
      [join(directory, 'file', 'x.db'), 'is not a directory'],
      [join(directory, 'folder'), 'it is not a file'],
    ] as const;
    for (const [path, why] of cases) {
      const error = await refusal(path);
      expect(error).toMatchObject({ code: 'store_unavailable' });
      expect(String(error)).toContain(why);
    }
  });

  it('a file that is no database, and leaves it as it is', async () => {
    const text = 'not a database, but long enough to look at: '.repeat(100);
    writeFileSync(place.path, text);
    expect(await refusal(place.path)).toMatchObject({ code: 'store_unsupported' });
    expect(readFileSync(place.path, 'utf8')).toBe(text);
  });

  it('a database of somebody else, and leaves it as it is', async () => {
    const db = new DatabaseSync(place.path);
    db.exec('CREATE TABLE theirs (a)');
    db.close();
    const before = readFileSync(place.path);
    const error = await refusal(place.path);
    expect(error).toMatchObject({ code: 'store_unsupported' });
    expect(String(error)).toContain('not a Redrive store');
    expect(readFileSync(place.path).equals(before)).toBe(true);
  });

  it('a store of a later version that does not work with this one any more', async () => {
    await (await make()).close();
    const db = new DatabaseSync(place.path);
    const later = NEWEST_SCHEMA + 1;
    db.exec(`PRAGMA user_version = ${later}`);
    await (await open()).close();
    db.exec(`UPDATE meta SET value = '${later}' WHERE key = 'works_from'`);
    db.close();
    expect(await refusal(place.path)).toMatchObject({
      code: 'schema_too_new',
      details: { schema: later, worksFrom: later, known: NEWEST_SCHEMA },
    });
  });

  it('a SQLite that can lose commits', async () => {
    const real = DatabaseSync.prototype.prepare;
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      return real.call(this, sql.replace('sqlite_version()', "'3.51.2'"));
    });
    // At once, and not with the first write.
    const error: unknown = await open().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'store_unsupported', details: { version: '3.51.2' } });
    expect(String(error)).toContain('3.51.3');
    expect(String(error)).toContain('Use Node 22.22.3, 24.15.0, 25.9.0');
  });

  it('a connection that does not keep WAL or FULL', async () => {
    const real = DatabaseSync.prototype.prepare;
    for (const [pragma, answer] of [
      ['PRAGMA journal_mode = WAL', "'delete'"],
      ['PRAGMA synchronous', '1'],
    ]) {
      const spy = vi.spyOn(DatabaseSync.prototype, 'prepare');
      spy.mockImplementation(function (this: DatabaseSync, sql) {
        return real.call(this, sql === pragma ? `SELECT ${answer}` : sql);
      });
      expect(await refusal(place.path)).toMatchObject({ code: 'store_unsupported' });
      spy.mockRestore();
    }
  });

  it('a file that it may not write to', async () => {
    const error = await refusal('/proc/redrive.db');
    // Root may write anywhere, and still no file can be made there.
    const isRoot = process.getuid?.() === 0;
    expect(error).toMatchObject({ code: isRoot ? 'store_unavailable' : 'store_forbidden' });
    expect(String(error)).toContain('/proc/redrive.db');
  });
});
