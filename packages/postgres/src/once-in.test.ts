import { RedriveError } from '@redrive/core';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onceIn } from './once-in.ts';
import { openMade } from './testing/open-made.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);
/** The number of the type. */
const VOID = 2278;

describe('onceIn', () => {
  const schema = 'once';
  let store: Awaited<ReturnType<typeof openMade>>;
  const clients: Client[] = [];

  beforeAll(async () => {
    store = await openMade(server.url, { schema, onWarning: () => {} });
    await server.sql('create table effects (key text, n serial)');
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await store.close();
  });

  async function connected(): Promise<Client> {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    clients.push(client);
    return client;
  }

  async function begun(isolation = ''): Promise<Client> {
    const client = await connected();
    await client.query(`begin ${isolation}`);
    return client;
  }

  const effect = (client: Client, key: string) => async (token: number) => {
    await client.query('insert into effects (key) values ($1)', [key]);
    return { token };
  };

  async function effects(key: string): Promise<number> {
    return (await server.sql('select 1 from effects where key = $1', [key])).length;
  }

  it('commits an effect and its record together, and answers with the record after that', async () => {
    const first = await begun();
    const value = await onceIn(first, { key: 'k1' }, effect(first, 'k1'), { schema });
    await first.query('commit');
    const second = await begun();
    expect(await onceIn(second, { key: 'k1' }, effect(second, 'k1'), { schema })).toEqual(value);
    await second.query('commit');
    expect(await effects('k1')).toBe(1);
    expect(await store.ledger().reserve('k1', { fingerprint: '', leaseMs: 1_000 })).toEqual({
      state: 'done',
      value,
    });
  });

  it('runs once through a client with object rows, as programs make one of Kysely or Prisma', async () => {
    const client = await begun();
    const objectRows = {
      query: async (statement: string | { text: string; values: unknown[] }) => {
        const { text, values } =
          typeof statement === 'string' ? { text: statement, values: [] } : statement;
        const prepare = { text, values, queryMode: 'extended' };
        const { rows, fields } = await client.query(prepare);
        // Prisma knows no columns of the type `void`.
        expect(fields.map(({ dataTypeID }) => dataTypeID)).not.toContain(VOID);
        return { rows };
      },
    };
    const run = () => onceIn(objectRows, { key: 'objects' }, effect(client, 'objects'), { schema });
    const first = await run();
    expect(first).toEqual({ token: expect.any(Number) });
    expect(await run()).toEqual(first);
    await client.query('commit');
    expect(await effects('objects')).toBe(1);
  });

  it('keeps nothing of a transaction that is rolled back', async () => {
    const first = await begun();
    await onceIn(first, { key: 'k2' }, effect(first, 'k2'), { schema });
    await first.query('rollback');
    expect([await effects('k2'), await store.ledger().look('k2')]).toEqual([0, undefined]);
    const second = await begun();
    await onceIn(second, { key: 'k2' }, effect(second, 'k2'), { schema });
    await second.query('commit');
    expect(await effects('k2')).toBe(1);
  });

  it('undoes what a run that throws has written, and lets the transaction go on', async () => {
    const client = await begun();
    const broken = async () => {
      await effect(client, 'k3')(0);
      await client.query('select 1 / 0');
    };
    await expect(onceIn(client, { key: 'k3' }, broken, { schema })).rejects.toThrow('division');
    await effect(client, 'k3-after')(0);
    await client.query('commit');
    expect([await effects('k3'), await effects('k3-after')]).toEqual([0, 1]);
    expect(await store.ledger().look('k3')).toBeUndefined();
  });

  it('waits for the end of another transaction with the key, and sees what it did', async () => {
    for (const end of ['commit', 'rollback']) {
      const key = `k4-${end}`;
      const [first, second] = [await begun(), await begun()];
      await onceIn(first, { key }, effect(first, key), { schema });
      let answered = false;
      const waiting = onceIn(second, { key }, effect(second, key), { schema }).finally(() => {
        answered = true;
      });
      // It waits for as long as the first one is open: the server says so.
      await expect.poll(() => waitingLocks()).toBe(1);
      expect(answered).toBe(false);
      await first.query(end);
      await waiting;
      await second.query('commit');
      expect(await effects(key)).toBe(1);
    }
  });

  async function waitingLocks(): Promise<number> {
    const [row] = await server.sql(
      "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted",
    );
    return Number(row?.n);
  }

  it('waits no longer than it is told to, and its transaction can go on', async () => {
    const [first, second] = [await begun(), await begun()];
    await onceIn(first, { key: 'k5' }, effect(first, 'k5'), { schema });
    for (const waitMs of [0, 30]) {
      await expect(
        onceIn(second, { key: 'k5', waitMs }, effect(second, 'k5'), { schema }),
      ).rejects.toMatchObject({ code: 'idempotency_in_progress', details: { key: 'k5' } });
    }
    await first.query('commit');
    expect(await onceIn(second, { key: 'k5' }, effect(second, 'k5'), { schema })).toBeDefined();
    await second.query('commit');
    expect(await effects('k5')).toBe(1);
  });

  it('does not let the ledger wait for a transaction', async () => {
    const client = await begun();
    await onceIn(client, { key: 'k6' }, effect(client, 'k6'), { schema });
    const ledger = store.ledger();
    const request = { fingerprint: '', leaseMs: 1_000 };
    expect((await ledger.reserve('k6', request)).state).toBe('in_progress');
    expect((await ledger.reserve('k6-other', request)).state).toBe('reserved');
    await client.query('commit');
    expect((await ledger.reserve('k6', request)).state).toBe('done');
  });

  it('refuses a key that a live lease holds, and takes one whose lease is over', async () => {
    const ledger = store.ledger();
    const held = await ledger.reserve('k7', { fingerprint: '', leaseMs: 60_000 });
    const client = await begun();
    await expect(
      onceIn(client, { key: 'k7' }, effect(client, 'k7'), { schema }),
    ).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await server.sql(`update ${schema}.ledger set lease_until = 0 where key = 'k7'`);
    const { token } = await onceIn(client, { key: 'k7' }, effect(client, 'k7'), { schema });
    if (held.state !== 'reserved') throw new Error(held.state);
    expect(token).toBeGreaterThan(held.token);
    // The late holder waits for the end of the transaction, and is refused then.
    const late = ledger.complete('k7', held.token, 'late');
    await client.query('commit');
    expect(await late).toBe(false);
    expect(await effects('k7')).toBe(1);
  });

  it('refuses other parameters, values that are too large, and clients without a transaction', async () => {
    const client = await begun();
    await onceIn(client, { key: 'k8', fingerprint: 'a' }, () => 1, { schema });
    const other = onceIn(client, { key: 'k8', fingerprint: 'b' }, () => 1, { schema });
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const large = onceIn(client, { key: 'k9' }, () => 'x'.repeat(200), {
      schema,
      maxValueBytes: 100,
    });
    await expect(large).rejects.toMatchObject({ code: 'payload_too_large' });
    await client.query('commit');
    expect(await store.ledger().look('k9')).toBeUndefined();
    await expect(onceIn(client, { key: 'k9' }, () => 1, { schema })).rejects.toMatchObject({
      code: 'not_in_transaction',
    });
    await client.query('begin');
    await client.query('select 1 / 0').catch(() => {});
    await expect(onceIn(client, { key: 'k9' }, () => 1, { schema })).rejects.toMatchObject({
      code: 'not_in_transaction',
    });
    await client.query('rollback');
    await expect(
      onceIn(client, { key: 'k9', waitMs: -1 }, () => 1, { schema }),
    ).rejects.toBeInstanceOf(RedriveError);
  });

  it('runs once for a hundred transactions with one key', async () => {
    const pool = await Promise.all(Array.from({ length: 20 }, connected));
    let runs = 0;
    const answers = await Promise.all(
      pool.flatMap(async (client) => {
        const own: unknown[] = [];
        for (let round = 0; round < 5; round++) {
          await client.query('begin');
          own.push(
            await onceIn(
              client,
              { key: 'k10' },
              async (token) => {
                runs += 1;
                return effect(client, 'k10')(token);
              },
              { schema },
            ),
          );
          await client.query('commit');
        }
        return own;
      }),
    );
    expect([runs, await effects('k10')]).toEqual([1, 1]);
    expect(new Set(answers.flat().map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers.flat()).toHaveLength(100);
  });

  it('never runs twice under repeatable read: who cannot see the result fails', async () => {
    const [first, second] = [await begun(), await begun('isolation level repeatable read')];
    await second.query('select count(*) from effects');
    await onceIn(first, { key: 'k11' }, effect(first, 'k11'), { schema });
    await first.query('commit');
    const late = onceIn(second, { key: 'k11' }, effect(second, 'k11'), { schema });
    await expect(late).rejects.toMatchObject({ code: '40001' });
    await second.query('rollback');
    expect(await effects('k11')).toBe(1);
  });

  it('cannot be nested under one key', async () => {
    const client = await begun();
    const inner = (key: string) => () => onceIn(client, { key }, effect(client, key), { schema });
    const nested = onceIn(client, { key: 'k12' }, inner('k12'), { schema });
    await expect(nested).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await onceIn(client, { key: 'k12' }, inner('k12-other'), { schema });
    await client.query('commit');
    expect([await effects('k12'), await effects('k12-other')]).toEqual([0, 1]);
    expect((await store.ledger().look('k12'))?.state).toBe('done');
  });

  it('keeps what the outer one wrote where an inner one throws', async () => {
    const client = await begun();
    const broken = async () => {
      await effect(client, 'k13-inner')(0);
      await client.query('select 1 / 0');
    };
    const outer = async () => {
      await effect(client, 'k13')(0);
      const inner = onceIn(client, { key: 'k13-inner' }, broken, { schema });
      await expect(inner).rejects.toThrow('division');
    };
    await onceIn(client, { key: 'k13' }, outer, { schema });
    await client.query('commit');
    expect([await effects('k13'), await effects('k13-inner')]).toEqual([1, 0]);
  });

  it('runs once for calls with one key that are made together on one client', async () => {
    const client = await begun();
    const call = (waitMs: number) =>
      onceIn(client, { key: `k14-${waitMs}`, waitMs }, effect(client, `k14-${waitMs}`), { schema });
    const [one, two] = await Promise.all([call(10_000), call(10_000)]);
    expect(two).toEqual(one);
    // Who does not wait is refused.
    const [first, second] = await Promise.allSettled([call(0), call(0)]);
    expect([first.status, second]).toMatchObject([
      'fulfilled',
      { status: 'rejected', reason: { code: 'idempotency_in_progress' } },
    ]);
    await client.query('commit');
    expect([await effects('k14-10000'), await effects('k14-0')]).toEqual([1, 1]);
  });

  it.each([0, 1])('undoes nothing of another call that is made with it (%i throws)', async (at) => {
    const client = await begun();
    const keys = [`k15-${at}-first`, `k15-${at}-second`];
    const ends = await Promise.allSettled(
      keys.map((key, index) => {
        const run = async () => {
          await effect(client, key)(0);
          // The other one could come in between.
          await client.query('select 1');
          await effect(client, key)(0);
          if (index === at) throw new Error('broken');
        };
        return onceIn(client, { key }, run, { schema });
      }),
    );
    await client.query('commit');
    const wanted = keys.map((_, index) => (index === at ? 'rejected' : 'fulfilled'));
    expect(ends.map(({ status }) => status)).toEqual(wanted);
    for (const [index, key] of keys.entries()) {
      const state = (await store.ledger().look(key))?.state;
      expect([await effects(key), state]).toEqual(index === at ? [0, undefined] : [2, 'done']);
    }
  });

  it('waits no longer than it is told to for another call on its client', async () => {
    const client = await begun();
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const first = onceIn(client, { key: 'k16' }, () => end, { schema });
    const impatient = onceIn(client, { key: 'k16-other', waitMs: 10 }, () => 1, { schema });
    await expect(impatient).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    const patient = onceIn(client, { key: 'k16-other' }, () => 2, { schema });
    resolve();
    expect(await Promise.all([first, patient])).toEqual([undefined, 2]);
    await client.query('commit');
  });

  it('fails where the run has undone the reservation of its key', async () => {
    const client = await begun();
    await client.query('savepoint mine');
    const undo = async () => {
      await client.query('rollback to savepoint mine');
      return effect(client, 'k17')(0);
    };
    const undone = onceIn(client, { key: 'k17' }, undo, { schema });
    await expect(undone).rejects.toThrow('k17 is not reserved');
    await client.query('commit');
    expect([await effects('k17'), await store.ledger().look('k17')]).toEqual([0, undefined]);
  });
});
