import type { Store } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import type { AuditProblemKind, AuditStore } from '@redrive/durable/store';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

/** Another value of each column that is changed. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  audit_blocks: {
    seq: 'seq + 100000',
    at: 'at + 1',
    epoch: 'epoch + 1',
    xid: '(xid::text::bigint + 1000000)::text::xid8',
    writer: "writer || '1'",
    prev_hash: "translate(prev_hash || '0', '0123', '1230')",
    hash: "translate(hash, '0123456789', '1234567890')",
    body: "replace(body, ',1,', ',2,') || ' '",
  },
  audit_anchors: {
    seq: 'seq + 1000',
    from_position: "from_position || '0'",
    to_position: "'0' || to_position",
    blocks: 'blocks + 1',
    root: "translate(root, '0123456789', '1234567890')",
    prev_hash: "translate(prev_hash || '0', '0123', '1230')",
    hash: "translate(hash, '0123456789', '1234567890')",
    at: 'at + 1',
  },
};

const LOOKUPS: Readonly<Record<string, string>> = {
  id: "id || '-other'",
  revision: 'revision + 1',
  token: 'token + 1',
  audit_block: 'audit_block + 1',
};

describe('changed rows of a sealed log', () => {
  let store: Store & AuditStore;
  let schema = '';
  let close = async () => {};

  beforeAll(async () => {
    const subject = await server.emptyStore();
    store = subject.store;
    close = async () => subject.close?.();
    await auditedHistory(store, subject.clock, { seed: 11, rounds: 12 });
    [{ schema }] = (await server.sql(
      "select schemaname as schema from pg_tables where tablename = 'audit_anchors'",
    )) as [{ schema: string }];
  });
  afterAll(() => close());

  async function problems(head?: { seq: number; hash: string }): Promise<AuditProblemKind[]> {
    const reader = await store.readAudit();
    try {
      return (await verifyAudit(reader, { head })).problems.map(({ kind }) => kind);
    } finally {
      await reader.close();
    }
  }

  /** What is found while a change is there. It is undone from a copy of the table. */
  async function foundAfter(table: string, change: string, head?: { seq: number; hash: string }) {
    await server.sql(`create table ${schema}.copy as table ${schema}.${table}`);
    try {
      await server.sql(change);
      return await problems(head);
    } finally {
      await server.sql(`truncate ${schema}.${table}`);
      const columns = await server.columns(schema, table);
      const restored = `insert into ${schema}.${table} (${columns}) select ${columns} from ${schema}.copy`;
      await server.sql(restored);
      await server.sql(`drop table ${schema}.copy`);
    }
  }

  it('goes on at a policy that cannot be read, and reports it', async () => {
    const change = `update ${schema}.policies set policy = '{"maxAttempts":'`;
    expect(new Set(await foundAfter('policies', change))).toEqual(new Set(['policy']));
  });

  it('is sound as it is', async () => {
    expect(await problems()).toEqual([]);
  });

  it('has no column that nobody changes here', async () => {
    for (const [table, changes] of Object.entries(CHANGES)) {
      const columns = await server.sql(
        'select column_name as name from information_schema.columns where table_schema = $1 and table_name = $2',
        [schema, table],
      );
      expect(Object.keys(changes).toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
    }
    const audit = await server.sql(
      "select tablename as name from pg_tables where schemaname = $1 and tablename like 'audit%' order by 1",
      [schema],
    );
    expect(audit.map(({ name }) => name)).toEqual(['audit_anchors', 'audit_blocks', 'audit_packs']);
  });

  /** A row at the start, in the middle and at the end. */
  const PLACES = ['0', '(select count(*) / 2 from %)', '(select count(*) - 1 from %)'];
  const rowAt = (table: string, place: string) =>
    `(select seq from ${table} order by seq offset ${place.replace('%', table)} limit 1)`;

  for (const [table, changes] of Object.entries(CHANGES)) {
    for (const [column, value] of Object.entries(changes)) {
      it(`finds a changed ${table}.${column}`, async () => {
        for (const place of PLACES) {
          const full = `${schema}.${table}`;
          const change = `update ${full} set ${column} = ${value} where seq = ${rowAt(full, place)}`;
          expect(await foundAfter(table, change), place).not.toEqual([]);
        }
      });
    }

    it(`finds a dropped row of ${table}`, async () => {
      const head = await store.readAudit().then(async (reader) => {
        const newest = await reader.head();
        await reader.close();
        return newest;
      });
      for (const place of PLACES) {
        const full = `${schema}.${table}`;
        const change = `delete from ${full} where seq = ${rowAt(full, place)}`;
        expect(await foundAfter(table, change, head), place).not.toEqual([]);
      }
    });

    it(`finds two rows of ${table} that have changed places`, async () => {
      const full = `${schema}.${table}`;
      const columns = Object.keys(CHANGES[table] ?? {}).filter(
        (name) => !['seq', 'xid', 'epoch', 'from_position', 'to_position'].includes(name),
      );
      const change = `update ${full} a set ${columns.map((name) => `${name} = b.${name}`).join(', ')}
        from ${full} b where (a.seq, b.seq) in ((1, 2), (2, 1))`;
      expect(await foundAfter(table, change)).not.toEqual([]);
    });
  }

  it('finds an inserted block, also a leaf that is sound in itself', async () => {
    const full = `${schema}.audit_blocks`;
    for (const writer of ['leaf', 'somebody']) {
      const change = `insert into ${full} (seq, at, epoch, xid, writer, prev_hash, hash, body)
        select 1000000, at, epoch, xid, '${writer}', '', encode(sha256(convert_to(E'\\n[]', 'UTF8')), 'hex'), '[]'
        from ${full} order by seq offset 3 limit 1`;
      expect(await foundAfter('audit_blocks', change), writer).toContain('segment');
    }
  });

  it('finds an inserted anchor', async () => {
    const full = `${schema}.audit_anchors`;
    const change = `insert into ${full} select seq + 1, from_position, to_position, blocks, root, hash, hash, at
      from ${full} order by seq desc limit 1`;
    expect(await foundAfter('audit_anchors', change)).not.toEqual([]);
  });

  it('finds a log that was cut at an anchor, against a saved head', async () => {
    const reader = await store.readAudit();
    const head = await reader.head();
    await reader.close();
    const cut = `delete from ${schema}.audit_anchors where seq = ${head?.seq}`;
    expect(await foundAfter('audit_anchors', cut)).toEqual([]);
    expect(await foundAfter('audit_anchors', cut, head)).toEqual(['head']);
  });

  for (const table of ['jobs', 'finished']) {
    for (const [column, value] of Object.entries(LOOKUPS)) {
      it(`finds a changed ${table}.${column}`, async () => {
        const full = `${schema}.${table}`;
        const one = `(select seq from ${full} order by seq limit 1)`;
        expect(
          await foundAfter(table, `update ${full} set ${column} = ${value} where seq = ${one}`),
        ).toContain('lookup');
      });
    }

    it(`finds a changed ${table}.seq`, async () => {
      const full = `${schema}.${table}`;
      const change = `update ${full} set seq = seq + 1000000 where seq = (select min(seq) from ${full})`;
      expect(await foundAfter(table, change)).toContain('lookup');
    });

    it(`finds a row of ${table} that is gone, and one that nobody enqueued`, async () => {
      const full = `${schema}.${table}`;
      const gone = `delete from ${full} where seq = (select min(seq) from ${full})`;
      expect(await foundAfter(table, gone)).toContain('lookup');
      const names = await server.columns(schema, table);
      const forged = names.map((name) =>
        name === 'id' ? "id || '-2'" : name === 'seq' ? 'seq + 1000000' : name,
      );
      const insert = `insert into ${full} (${names.join(', ')}) select ${forged.join(', ')} from ${full}
        where unique_key is null limit 1`;
      expect(await foundAfter(table, insert)).toContain('lookup');
    });
  }

  it('finds a changed state', async () => {
    const set = (table: string, state: string, not: string) =>
      foundAfter(
        table,
        `update ${schema}.${table} set state = '${state}' where seq =
         (select seq from ${schema}.${table} where state <> '${not}' and state <> '${state}' order by seq limit 1)`,
      );
    expect(await set('jobs', 'parked', 'scheduled')).toContain('lookup');
    expect(await set('finished', 'succeeded', 'purged')).toContain('lookup');
    expect(await set('finished', 'dead', 'purged')).toContain('lookup');
  });

  it('finds an id that leads nowhere, or to another job', async () => {
    const one = `(select min(seq) from ${schema}.finished)`;
    for (const change of [
      `delete from ${schema}.ids where seq = ${one}`,
      `update ${schema}.ids set seq = seq + 1000000 where seq = ${one}`,
      `update ${schema}.ids set id = id || '-other' where seq = ${one}`,
    ]) {
      expect(await foundAfter('ids', change), change).toContain('lookup');
    }
  });
});
