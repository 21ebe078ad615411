import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { pauseWork } from '@redrive/durable/control';
import type { ClaimCommand } from '@redrive/durable/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStoreWith } from '../open-store.ts';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

const TEN_LOOKS_PER_JOB = 10;

let looks = 0;
let place: Scratch;
let store: FullStore;
beforeEach(async () => {
  countLooks();
  place = scratch();
  store = await openMade(place.path, {}, { audit: true, start: withoutThreads });
});
afterEach(async () => {
  await store.close();
  place.remove();
  vi.restoreAllMocks();
});

/** Every query that runs, on any connection. */
function countLooks(): void {
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    const statement = prepare.call(this, sql);
    for (const name of ['get', 'all'] as const) {
      const run = statement[name].bind(statement);
      // Both take what the statement takes.
      statement[name] = (...parameters: never[]) => {
        looks += 1;
        return run(...parameters) as never;
      };
    }
    return statement;
  });
}

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

function claimAll(handlers: readonly string[], limit: number, more: Partial<ClaimCommand> = {}) {
  const [lane] = claimOf(limit).lanes;
  if (lane === undefined) throw new Error('a lane');
  const lanes = handlers.map((handler) => ({ ...lane, handler }));
  return claimOf(limit, { lanes, ...more });
}

async function countedClaim(command: ClaimCommand) {
  // The first claim may read names that later ones know.
  await store.apply([{ ...command, limit: 0 }]);
  looks = 0;
  const [{ jobs }] = await store.apply([command]);
  return { ids: jobs.map(({ id }) => id), looks };
}

function flowsOf(path: string): unknown[] {
  const db = new DatabaseSync(path);
  const flows = db.prepare('SELECT lane, priority, tenant FROM flows ORDER BY 1, 2, 3').all();
  db.close();
  return flows;
}

describe('the cost of a claim', () => {
  it('does not depend on handlers times tenants', async () => {
    const handlers = names('h', 60);
    const tenants = names('t', 60);
    const jobs = tenants.map((tenant, n) =>
      enqueueOf(`job-${n}`, { handler: handlers[(n * 7) % 60] ?? '', tenant }),
    );
    await store.apply(jobs);
    const claimed = await countedClaim(claimAll(handlers, 20));
    expect(claimed.ids.length).toBe(20);
    expect(claimed.looks).toBeLessThan(20 * TEN_LOOKS_PER_JOB);
  });

  it('of one tenant with many handlers is that of the jobs it takes', async () => {
    const handlers = names('h', 500);
    await store.apply(handlers.map((handler, n) => enqueueOf(`job-${1_000 + n}`, { handler })));
    const claimed = await countedClaim(claimAll(handlers, 10));
    expect(claimed.ids).toEqual(Array.from({ length: 10 }, (_, n) => `job-${1_000 + n}`));
    expect(claimed.looks).toBeLessThan(10 * TEN_LOOKS_PER_JOB);
  });

  it('does not grow with the flows of other handlers, of a paused queue or of a full lane', async () => {
    for (const other of [{ handler: 'other' }, { queue: 'paused' }, { handler: 'full' }]) {
      const [name] = Object.values(other);
      await store.apply(
        names(`of ${name}`, 1_000).map((id) => enqueueOf(id, { ...other, tenant: `a ${id}` })),
      );
    }
    await pauseWork(store, { scope: 'queue', name: 'paused', actor: { name: 'test' } });
    await store.apply([enqueueOf('mine', { tenant: 'z' })]);
    const command = claimAll(['mail', 'full'], 2);
    const lanes = command.lanes.map((lane) => ({
      ...lane,
      limit: lane.handler === 'full' ? 0 : 2,
    }));
    const claimed = await countedClaim({ ...command, lanes });
    expect(claimed.ids).toEqual(['mine']);
    expect(claimed.looks).toBeLessThan(2 * TEN_LOOKS_PER_JOB);
  });
});

it('behind many flows of others, a claim asks each of its lanes once, and again only for more', async () => {
  const handlers = names('h', 80);
  const foreign = names('a', 1_000).map((tenant) => enqueueOf(tenant, { tenant, handler: 'x' }));
  const own = handlers.flatMap((handler, h) =>
    names(handler, 10).map((id, n) =>
      enqueueOf(id, { handler, tenant: `t-${1_000 + ((h * 11 + n * 83) % 900)}` }),
    ),
  );
  await store.apply([...foreign, ...own]);
  const claimed = await countedClaim(claimAll(handlers, 20));
  expect(claimed.ids.length).toBe(20);
  expect(claimed.looks).toBeLessThan(80 + 20 * TEN_LOOKS_PER_JOB);
});

describe('a claim gives up after many flows without jobs, but does not count', () => {
  const tenants = names('t', 1_200);

  it('tenants whose jobs it has taken', async () => {
    const many = names('z', 1_500).map((id) => enqueueOf(id, { tenant: 'z' }));
    await store.apply([...tenants.map((tenant) => enqueueOf(tenant, { tenant })), ...many]);
    const [{ jobs, more }] = await store.apply([claimOf(2_500)]);
    expect([jobs.length, more]).toEqual([2_500, true]);
  });

  it('tenants of a handler without room', async () => {
    await store.apply([
      ...tenants.map((tenant) => enqueueOf(tenant, { tenant, handler: 'slow' })),
      ...names('z', 50).map((id) => enqueueOf(id, { tenant: 'z', handler: 'fast' })),
    ]);
    const command = claimAll(['slow', 'fast'], 51);
    const lanes = command.lanes.map((lane) => ({
      ...lane,
      limit: lane.handler === 'slow' ? 1 : 50,
    }));
    const claimed = await countedClaim({ ...command, lanes });
    expect(claimed.ids.length).toBe(51);
    // The flows of the handler without room are not read one by one.
    expect(claimed.looks).toBeLessThan(51 * TEN_LOOKS_PER_JOB);
  });
});

it('tenants whose only jobs are past their deadline stop no claim until a tick', async () => {
  const late = names('late', 2_500).map((id) => ({
    ...enqueueOf(id, { tenant: `a ${id}`, priority: 5 }),
    deadline: { inMs: 0 },
  }));
  await store.apply([...late, enqueueOf('ready', { tenant: 'z' })]);
  const found: string[] = [];
  for (let claims = 0; claims < 3; claims++) {
    const [{ jobs, more }] = await store.apply([claimOf(1)]);
    found.push(...jobs.map(({ id }) => id), more ? 'more' : 'all');
  }
  expect(found).toEqual(['more', 'more', 'ready', 'all']);
  const [ticked] = await store.apply([{ kind: 'tick', limit: 5_000, actor: { name: 'test' } }]);
  expect(ticked).toMatchObject({ expired: 2_500 });
});

it('jobs that a claim has read and not taken are taken by a later one', async () => {
  for (const id of ['0-a', '1-b', '2-b', '3-b', '4-a']) {
    await store.apply([enqueueOf(id, { handler: id.slice(2) })]);
  }
  await store.apply([{ kind: 'act', act: 'cancel', id: '0-a', actor: { name: 'test' } }]);
  const found: string[] = [];
  for (let claims = 0; claims < 3; claims++) {
    const [{ jobs }] = await store.apply([claimAll(['a', 'b'], 2)]);
    found.push(...jobs.map(({ id }) => id));
  }
  expect(found).toEqual(['1-b', '2-b', '3-b', '4-a']);
});

describe('a flow', () => {
  it('is there while a lane, priority and tenant has ready jobs', async () => {
    await store.apply([
      enqueueOf('a', { tenant: 'x' }),
      enqueueOf('b', { tenant: 'x' }),
      enqueueOf('c', { tenant: 'x', priority: 5 }),
      enqueueOf('later', { tenant: 'y' }),
    ]);
    expect(flowsOf(place.path).length).toBe(3);
    const [{ jobs }] = await store.apply([claimOf(10)]);
    expect(flowsOf(place.path)).toEqual([]);
    const [first] = jobs;
    if (first === undefined) throw new Error('a job');
    await store.apply([settleOf(first, 'ready')]);
    expect(flowsOf(place.path)).toEqual([
      { lane: 1, priority: first.priority, tenant: first.tenant },
    ]);
  });

  it('whose jobs went another way is removed by the claim that meets it', async () => {
    await store.apply([enqueueOf('b', { tenant: 'y' })]);
    const db = new DatabaseSync(place.path);
    db.exec(
      "INSERT INTO flows (lane, priority, tenant, first_at, first_id) VALUES (1, 0, 'x', 0, '')",
    );
    db.close();
    const [{ jobs }] = await store.apply([claimOf(10)]);
    expect(jobs.map(({ id }) => id)).toEqual(['b']);
    expect(flowsOf(place.path)).toEqual([]);
  });

  it('goes with its last job that is cancelled, so that one claim finds the ready job behind many', async () => {
    const ids = names('job', 10_001);
    await store.apply(ids.map((id) => enqueueOf(id, { tenant: id })));
    await store.apply([enqueueOf('ready', { tenant: 'z' })]);
    await store.apply(
      ids.map((id) => ({ kind: 'act', act: 'cancel', id, actor: { name: 'test' } })),
    );
    const { oldestReadyAtMs } = await store.counts();
    const [{ jobs, more }] = await store.apply([claimOf(1)]);
    expect([jobs.map(({ id }) => id), more]).toEqual([['ready'], false]);
    expect(oldestReadyAtMs).toBe(jobs[0]?.submittedAtMs);
  });

  it('goes with the deadline of its job, with another priority of its job, and with a claim by id', async () => {
    const uniqueKey = 'key';
    await store.apply([
      { ...enqueueOf('late', { tenant: 'a' }), deadline: { inMs: 0 } },
      enqueueOf('moves', { tenant: 'b', uniqueKey }),
      enqueueOf('named', { tenant: 'c' }),
    ]);
    await store.apply([
      { kind: 'tick', limit: 10, actor: { name: 'test' } },
      { ...enqueueOf('new', { tenant: 'b', priority: 7, uniqueKey }), onConflict: 'replace' },
      claimOf(1, { only: ['named'] }),
    ]);
    expect(flowsOf(place.path)).toEqual([{ lane: 1, priority: 7, tenant: 'b' }]);
  });

  it('goes with the last job that is not held back by its limit key, and returns with the release', async () => {
    const key = { tenant: 'x', limitKey: 'key' };
    await store.apply([enqueueOf('a', key), enqueueOf('b', key)]);
    const [{ jobs }] = await store.apply([claimOf(10)]);
    expect([jobs.map(({ id }) => id), flowsOf(place.path)]).toEqual([['a'], []]);
    await store.apply(jobs.map((job) => settleOf(job)));
    expect(flowsOf(place.path)).toEqual([{ lane: 1, priority: 0, tenant: 'x' }]);
  });

  it('of another process is served: two stores on one file hand out every job once, in turn', async () => {
    const other = await openStoreWith(place.path, {}, { audit: true, start: withoutThreads });
    const both = [store, other];
    const order: string[] = [];
    let afterTenant: string | undefined;
    for (const [round, tenant] of ['a', 'b', 'c', 'a', 'b', 'c'].entries()) {
      await both[round % 2]?.apply([enqueueOf(`${tenant}${round}`, { tenant })]);
    }
    for (let round = 0; round < 6; round++) {
      const from = both[(round + 1) % 2];
      const [claimed] = (await from?.apply([claimOf(1, { afterTenant })])) ?? [];
      afterTenant = claimed?.lastTenant;
      order.push(...(claimed?.jobs.map(({ id }) => id) ?? []));
    }
    await other.close();
    expect(order).toEqual(['a0', 'b1', 'c2', 'a3', 'b4', 'c5']);
    expect(flowsOf(place.path)).toEqual([]);
  });
});
