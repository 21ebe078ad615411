import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@redrive/durable';
import { jobsOn } from '@redrive/durable';
import type { ClaimCommand, LeasedJob } from '@redrive/durable/store';
import pg from 'pg';
import { expect, test } from 'vitest';
import { settlementFor } from '../../packages/testkit/src/conformance/store/settlements.ts';
import { openTarget } from './open-target.ts';
import { type Place, withPlace } from './place.ts';

// What belongs together commits together, and time is read when the lock is held: bugs here show only when something
// fails or waits in the middle, so that is what is made to happen.

const KINDS = ['sqlite', 'postgres'] as const;
const LEASE_MS = 60_000;
const LOCKED_MS = 400;
const TIMEOUT = { timeout: 60_000 };
const GROUP = { fingerprint: 'f1', pattern: 'it broke' };

test.each(KINDS)('on %s, nothing of a transition stays without its record', TIMEOUT, (kind) =>
  withPlace(kind, async (place) => {
    const store = await openTarget(place.target);
    const job = await leasedJob(store);
    await execute(place, refuseRows(place, 'audit_blocks'));
    const settlement = settlementFor(job, 'dead', { group: GROUP });
    await expect(store.apply([{ kind: 'settle', settlement }])).rejects.toThrow();
    expect(await store.job(job.id)).toMatchObject({ state: 'leased', token: job.token });
    expect(await store.countDead({}, 10)).toMatchObject({ count: 0 });
    expect(await rowsOf(place, deadRows(place))).toBe(0);

    await execute(place, acceptRecords(place));
    expect(await store.apply([{ kind: 'settle', settlement }])).toEqual([{ ok: true }]);
    expect(await store.countDead({}, 10)).toMatchObject({ count: 1 });
    await store.close();
  }),
);

test.each(KINDS)('on %s, nothing is dead without its dead letter', TIMEOUT, (kind) =>
  withPlace(kind, async (place) => {
    const store = await openTarget(place.target);
    const job = await leasedJob(store);
    await execute(place, refuseRows(place, kind === 'sqlite' ? 'dead_letters' : 'finished'));
    const settlement = settlementFor(job, 'dead', { group: GROUP });
    await expect(store.apply([{ kind: 'settle', settlement }])).rejects.toThrow();
    expect(await store.job(job.id)).toMatchObject({ state: 'leased', token: job.token });
    await store.close();
  }),
);

test.each(KINDS)('on %s, a lease counts from when its job was free to be taken', TIMEOUT, (kind) =>
  withPlace(kind, async (place) => {
    const store = await openTarget(place.target);
    await enqueue(store);
    const release = await holdLock(place);
    const claimed = store.apply([CLAIM]);
    await sleep(LOCKED_MS);
    const releasedAtMs = Date.now();
    await release();
    const [{ jobs }] = await claimed;
    // The clock of Postgres is that of the same machine.
    expect(jobs[0]?.lease.sinceMs).toBeGreaterThanOrEqual(releasedAtMs);
    await store.close();
  }),
);

test.each(KINDS)('on %s, one of two stores gets a key that both want at once', TIMEOUT, (kind) =>
  withPlace(kind, async (place) => {
    const stores = [await openTarget(place.target), await openTarget(place.target)];
    const ledgers = stores.map((store) => store.ledger());
    const keys = Array.from({ length: 200 }, (_, n) => `key ${n}`);
    const request = { fingerprint: '', leaseMs: LEASE_MS };
    for (const key of keys) {
      const answers = await Promise.all(ledgers.map((ledger) => ledger.reserve(key, request)));
      expect(answers.filter(({ state }) => state === 'reserved')).toHaveLength(1);
    }
    for (const store of stores) await store.close();
  }),
);

const CLAIM: ClaimCommand = {
  kind: 'claim',
  worker: 'w',
  leaseMs: LEASE_MS,
  lanes: [{ handler: 'work', limit: 1, policyHash: 'h', limitPerKey: 1 }],
  limit: 1,
  ahead: 0,
};

async function enqueue(store: FullStore): Promise<void> {
  await jobsOn(store, { work: (_: number): void => {} }).enqueue('work', 1);
}

async function leasedJob(store: FullStore): Promise<LeasedJob> {
  await enqueue(store);
  const [{ jobs }] = await store.apply([CLAIM]);
  const [job] = jobs;
  if (job === undefined) throw new Error('There is a job');
  return job;
}

async function execute(place: Place, text: string): Promise<void> {
  if (place.kind === 'sqlite') {
    const db = new DatabaseSync(place.databaseFile, { timeout: 5_000 });
    db.exec(text);
    db.close();
    return;
  }
  const client = new pg.Client({ connectionString: place.target });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function rowsOf(place: Place, text: string): Promise<number> {
  if (place.kind === 'sqlite') {
    const db = new DatabaseSync(place.databaseFile, { timeout: 5_000 });
    const { n } = db.prepare(text).get() ?? {};
    db.close();
    return Number(n);
  }
  const client = new pg.Client({ connectionString: place.target });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return Number(rows[0].n);
}

function deadRows({ kind }: Place): string {
  return kind === 'sqlite'
    ? 'SELECT count(*) AS n FROM dead_letters'
    : "select count(*) as n from redrive.finished where state = 'dead'";
}

/** From now on nothing can be added to a table. */
function refuseRows({ kind }: Place, table: string): string {
  return kind === 'sqlite'
    ? `CREATE TRIGGER refuse BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'refused'); END`
    : `create function redrive.refuse() returns trigger language plpgsql as
         $$ begin raise exception 'refused'; end $$;
       create trigger refuse before insert on redrive.${table} for each row execute function redrive.refuse()`;
}

function acceptRecords({ kind }: Place): string {
  return kind === 'sqlite'
    ? 'DROP TRIGGER refuse'
    : 'drop trigger refuse on redrive.audit_blocks; drop function redrive.refuse()';
}

/** Nobody else can claim until it is released. */
async function holdLock(place: Place): Promise<() => Promise<void>> {
  if (place.kind === 'sqlite') {
    const db = new DatabaseSync(place.databaseFile, { timeout: 5_000 });
    db.exec('BEGIN IMMEDIATE');
    return async () => {
      db.exec('COMMIT');
      db.close();
    };
  }
  const client = new pg.Client({ connectionString: place.target });
  await client.connect();
  await client.query('begin; lock table redrive.jobs in access exclusive mode');
  return async () => {
    await client.query('commit');
    await client.end();
  };
}
