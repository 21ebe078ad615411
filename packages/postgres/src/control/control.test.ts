import type { FullStore } from '@redrive/durable';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callStep, encodeClaim, StepStatements } from '../apply/call-step.ts';
import { Locators } from '../apply/locators.ts';
import type { Session } from '../connect/connection.ts';
import { applySettings } from '../connect/session-settings.ts';
import {
  claimOf,
  controlOf,
  enqueueOf,
  ids,
  killOf,
  settleOf,
  succeededOf,
} from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

let schema: string;
let stores: FullStore[];
let client: Client;

beforeEach(async () => {
  schema = server.newSchema();
  const open = () => openMade(server.url, { schema, onWarning: () => {} });
  stores = [await open(), await open()];
  client = new Client({ connectionString: server.url });
  await client.connect();
  await applySettings(session, 30_000);
});
afterEach(async () => {
  await client.end();
  for (const store of stores) await store.close();
});

const session: Session = {
  async query({ text, values = [] }) {
    const { rows } = await client.query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    });
    return rows;
  },
};

/** A claim in the test's own session. */
async function claimHere(with_: Parameters<typeof claimOf>[0] = {}) {
  const frame = { nowMs: null, seq: null, writer: 'writer' };
  const parts = { settles: [], enqueues: [], claim: claimOf(with_) };
  const statements = new StepStatements(schema);
  return (await callStep(session, statements, frame, parts, new Locators())).claimed;
}

const idsOf = (claimed: { jobs: readonly { id: string }[] } | undefined) =>
  claimed?.jobs.map(({ id }) => id);

describe('one document and many writers', () => {
  it('one of them is first, and every revision is used once', async () => {
    const [one, two] = stores as [FullStore, FullStore];
    for (const round of [1, 2, 3]) {
      const { all } = await one.controls();
      const expect_ = all[0]?.revision ?? 0;
      const tries = [one, two, one, two].map((store, at) =>
        store.apply([controlOf('gate', 'api', expect_, `{"by":${at},"round":${round}}`)]),
      );
      const answers = (await Promise.all(tries)).map(([answer]) => answer);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      expect(answers.filter(({ ok }) => !ok)).toHaveLength(3);
    }
    expect(await two.controlRevision()).toBe(3);
    expect((await two.controls()).all).toMatchObject([{ key: 'api', revision: 3 }]);
  });

  it('the revision can be read while somebody changes one', async () => {
    const [one] = stores as [FullStore];
    await client.query('begin');
    await client.query(`select ${schema}.control('gate', 'api', 0, '{}')`);
    expect(await one.controlRevision()).toBe(0);
    expect((await one.controls()).all).toEqual([]);
    const waiting = one.apply([controlOf('gate', 'api', 0, '{}')]);
    await server.someoneWaits();
    // Nobody else waits with it: neither jobs, nor heartbeats.
    await one.apply([enqueueOf('a')]);
    const [{ jobs }] = await one.apply([claimOf()]);
    expect(await one.heartbeat(jobs, 30_000)).toEqual(['held']);
    await client.query('commit');
    expect(await waiting).toEqual([{ ok: false, refusal: 'changed' }]);
    expect(await one.controlRevision()).toBe(1);
  });

  it('others are notified of it', async () => {
    const [one, two] = stores as [FullStore, FullStore];
    const commands = [
      controlOf('breaker', 'api', 0, '{}'),
      controlOf('kill', 'pause:queue:q', 0, '{}'),
    ] as const;
    for (const command of commands) {
      const told = new Promise((resolve) => {
        const stop = two.watch((change) => {
          if (change !== 'control') return;
          stop();
          resolve(change);
        });
      });
      // It listens as soon as it is connected: a change that comes before is missed.
      await server.someoneListens();
      await one.apply([command]);
      expect(await told).toBe('control');
    }
  });
});

describe('a kill switch and a claim at the same time', () => {
  it('waits for a claim that has begun, and the next claim obeys', async () => {
    const [one, two] = stores as [FullStore, FullStore];
    await one.apply(ids(3).map((id) => enqueueOf(id)));
    await client.query('begin');
    expect(idsOf(await claimHere({ limit: 1 }))).toEqual(['job-00001']);
    const engaging = one.apply([killOf('queue:default')]);
    await server.someoneWaits();
    // Nobody takes anything meanwhile, and nobody waits.
    const [meanwhile] = await two.apply([claimOf()]);
    expect(meanwhile.jobs).toEqual([]);
    await client.query('commit');
    expect(await engaging).toEqual([{ ok: true, revision: 1 }]);
    expect(idsOf(await claimHere())).toEqual([]);
  });

  it('a claim that begins before the switch is committed takes nothing', async () => {
    const [one] = stores as [FullStore];
    await one.apply([enqueueOf('a')]);
    await client.query('begin');
    await client.query(`select ${schema}.control('kill', 'all', 0, '{}')`);
    const [during] = await one.apply([claimOf()]);
    expect(during).toMatchObject({ jobs: [], more: true });
    await client.query('commit');
    const [after] = await one.apply([claimOf()]);
    expect(after).toMatchObject({ jobs: [], more: false });
  });

  it('does not wait for ever for a claim that hangs', async () => {
    const [one] = stores as [FullStore];
    await one.apply(ids(2).map((id) => enqueueOf(id)));
    await client.query('begin');
    await claimHere({ limit: 1 });
    const [answer] = await one.apply([killOf('all')]);
    expect(answer).toMatchObject({ ok: true });
    const [after] = await one.apply([claimOf()]);
    expect(after.jobs).toEqual([]);
    await client.query('rollback');
  });

  it('can be taken away while claims are under way', async () => {
    const [one] = stores as [FullStore];
    await one.apply([killOf('tenant:b'), enqueueOf('a'), enqueueOf('b', { tenant: 'b' })]);
    await client.query('begin');
    expect(idsOf(await claimHere())).toEqual(['a']);
    await one.apply([controlOf('kill', 'tenant:b', 1, undefined)]);
    await client.query('commit');
    expect(idsOf(await claimHere())).toEqual(['b']);
  });
});

describe('a tenant that is stopped', () => {
  /** What a claim of ten answers with, and how many pages it has looked at. */
  async function pagesOfClaim(): Promise<number> {
    const text = new StepStatements(schema).text('c');
    const { rows } = await client.query({
      text: `explain (analyze, buffers, format json) ${text}`,
      values: [null, null, 'writer', ...encodeClaim(claimOf({ limit: 10 }))],
    });
    return rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'];
  }

  it('costs next to nothing, however many jobs it has', async () => {
    const [one] = stores as [FullStore];
    for (let at = 0; at < 10; at += 1) {
      await one.apply(ids(2_000, `a${at}`).map((id) => enqueueOf(id, { tenant: 'a' })));
    }
    await one.apply(ids(30, 'b').map((id) => enqueueOf(id, { tenant: 'b' })));
    await one.apply([killOf('tenant:a')]);
    expect(idsOf(await claimHere({ limit: 10 }))).toEqual(ids(10, 'b'));
    expect(await pagesOfClaim()).toBeLessThan(500);
    // And where nothing is left to take.
    expect(idsOf(await claimHere())).toEqual(ids(30, 'b').slice(20));
    expect(await pagesOfClaim()).toBeLessThan(200);
  });

  it('does not keep others from lower priorities, however many it has itself', async () => {
    const [one] = stores as [FullStore];
    await one.apply(ids(40).map((id, at) => enqueueOf(id, { tenant: 'a', priority: at + 1 })));
    await one.apply([enqueueOf('b', { tenant: 'b' }), killOf('tenant:a')]);
    expect(idsOf(await claimHere())).toEqual(['b']);
    expect(idsOf(await claimHere())).toEqual([]);
  });

  it('does not use up a limit key that others wait for', async () => {
    const [one] = stores as [FullStore];
    const limitKey = 'key';
    const killed = Array.from({ length: 20 }, (_, at) => `a${String(at).padStart(2, '0')}`);
    await one.apply([
      enqueueOf('first', { limitKey }),
      ...killed.map((tenant) => enqueueOf(tenant, { tenant, limitKey })),
      enqueueOf('b', { tenant: 'b', limitKey }),
    ]);
    const [{ jobs }] = await one.apply([claimOf()]);
    expect(idsOf({ jobs })).toEqual(['first']);
    await one.apply(killed.map((tenant) => killOf(`tenant:${tenant}`)));
    await one.apply(jobs.map(succeededOf));
    expect(idsOf(await claimHere())).toEqual(['b']);
  });
});

describe('jobs that somebody else is at', () => {
  it('are left by a release, which says that there are more', async () => {
    const [one] = stores as [FullStore];
    await one.apply(ids(3).map((id) => enqueueOf(id)));
    const [{ jobs }] = await one.apply([claimOf()]);
    const parked = { to: 'parked', cause: 'gate:x', dueInMs: 60_000 } as const;
    await one.apply(jobs.map((job) => settleOf(job, parked)));
    await client.query('begin');
    await client.query(`select from ${schema}.jobs where id = 'job-00001' for update`);
    const release = { kind: 'release', cause: 'gate:x', limit: 10, actor: { name: 't' } } as const;
    expect(await one.apply([release])).toEqual([{ ok: true, released: 2, more: true }]);
    await client.query('rollback');
    expect(await one.apply([release])).toEqual([{ ok: true, released: 1, more: false }]);
  });
});
