import { jobsOn, type Notice } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimOf } from './testing/commands.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);

async function setUp() {
  const { store, clock, close } = await server.emptyStore();
  const [row] = await server.sql(
    "select schemaname as schema from pg_tables where tablename = 'jobs'",
  );
  const table = `${row?.schema}.jobs`;
  const notices: Notice[] = [];
  const runs: string[] = [];
  const handlers = {
    run: (_payload: unknown, { jobId }: { jobId: string }) => {
      runs.push(jobId);
      return 'done';
    },
    forever: () => new Promise(() => {}),
  };
  const jobs = jobsOn(store, handlers, {
    clock,
    onNotice: (notice) => void notices.push(notice),
  });
  onTestFinished(async () => {
    await jobs.stop({ mode: 'release', graceMs: 0 });
    await close?.();
  });
  /** Virtual time goes on while the server works. */
  const advance = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      await clock.advance(500);
      await store.counts();
    }
  };
  /** On a busy machine the server may need more of it for the same work. */
  const advanceUntil = async (isDone: () => boolean) => {
    for (let turns = 0; turns < 200 && !isDone(); turns++) await advance(500);
  };
  const told = (kind: Notice['kind']) => notices.filter((notice) => notice.kind === kind);
  return { clock, store, jobs, runs, table, told, advance, advanceUntil };
}

const CORRUPT = [
  ['account', 'abc'],
  ['headers', '{"a":'],
  ['spec', '7'],
  ['attempts', '[0,'],
] as const;

describe('one unreadable row', () => {
  it.each(CORRUPT)(
    '(%s = %s) is set aside with a notice, and the others go on',
    async (column, text) => {
      const { store, jobs, runs, table, told, advance, advanceUntil } = await setUp();
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.push((await jobs.enqueue('run', n)).id);
      const [bad = ''] = ids;
      await server.sql(`update ${table} set ${column} = $1 where id = $2`, [text, bad]);
      await jobs.start();
      await advanceUntil(() => runs.length === 2);
      await advance(5_000);

      expect(new Set(runs)).toEqual(new Set(ids.slice(1)));
      expect(told('store_unavailable')).toEqual([]);
      expect(told('job_set_aside')).toEqual([
        { kind: 'job_set_aside', jobId: bad, problem: expect.stringContaining(`${column}: `) },
      ]);
      const blocks = await store.auditBlocks(0, 1_000);
      expect(blocks.filter(({ body }) => body.includes('"set_aside"'))).toHaveLength(1);
      const listed = (await store.jobs({}, { limit: 10 })).jobs.map(({ id }) => id);
      expect(listed.sort()).toEqual(ids.sort());
      expect(await store.job(bad)).toMatchObject({ id: bad, state: 'leased' });
      expect(await store.unreadableJobs()).toEqual({
        jobs: [{ id: bad, problem: expect.stringContaining(`${column}: `), isSetAside: true }],
        looked: 3,
      });
      expect(await store.unreadableJob(bad)).toEqual((await store.unreadableJobs()).jobs[0]);
      expect(await store.unreadableJob(ids[1] ?? '')).toBeUndefined();
      const reader = await store.readAudit();
      const { problems } = await verifyAudit(reader);
      await reader.close();
      expect(problems).toMatchObject([{ kind: 'row', where: { id: bad } }]);

      // Mended and put back, it goes on where it was: a lease that has ended.
      await server.sql(`update ${table} set ${column} = null where id = $1`, [bad]);
      expect(await store.putBack([bad])).toEqual([bad]);
      expect(await store.expiredLeases(10)).toMatchObject([{ id: bad }]);
      expect(await store.unreadableJobs()).toEqual({ jobs: [], looked: 3 });
    },
  );

  it('with an expired lease does not keep others from being rescued, and uses up no limit key', async () => {
    const { clock, store, jobs, table } = await setUp();
    const options = { limitKey: 'k' };
    const ids = [(await jobs.enqueue('run', 1, options)).id, (await jobs.enqueue('run', 2)).id];
    const waiting = (await jobs.enqueue('run', 3, options)).id;
    const lane = { handler: 'run', limit: 9, policyHash: 'p', limitPerKey: 1 };
    await store.apply([claimOf({ worker: 'gone', lanes: [lane] })]);
    await server.sql(`update ${table} set headers = '[' where id = $1`, [ids[0]]);
    await clock.advance(60_000);
    expect(await store.expiredLeases(10)).toMatchObject([{ id: ids[1] }]);
    expect(store.takeSetAside()).toMatchObject([{ id: ids[0] }]);
    expect(store.takeSetAside()).toEqual([]);
    const [claimed] = await store.apply([claimOf({ lanes: [lane] })]);
    expect(claimed.jobs.map(({ id }) => id)).toEqual([waiting]);
  });
});
