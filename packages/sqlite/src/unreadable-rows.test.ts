import { DatabaseSync } from 'node:sqlite';
import { jobsOn, type Notice } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { recordsIn } from '@redrive/durable/store';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

const START_MS = Date.UTC(2026, 0, 29, 12);

async function setUp() {
  const place = scratch();
  const clock: VirtualClock = virtualClock({ startMs: START_MS, monotonicMs: 5_000 });
  const store = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
  const notices: Notice[] = [];
  const runs: string[] = [];
  const handlers = {
    run: (_payload: unknown, { jobId, attempt }: { jobId: string; attempt: number }) => {
      runs.push(jobId);
      if (attempt === 1) throw new Error('once more');
      return 'done';
    },
    forever: () => new Promise(() => {}),
  };
  const jobs = jobsOn(store, handlers, {
    clock,
    onNotice: (notice) => void notices.push(notice),
  });
  onTestFinished(async () => {
    const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
    await clock.advance(10_000);
    await stopped;
    await store.close();
    place.remove();
  });
  /** Changes rows behind the store's back. */
  const sql = (text: string): void => {
    const db = new DatabaseSync(place.path);
    db.exec(text);
    db.close();
  };
  const told = (kind: Notice['kind']) => notices.filter((notice) => notice.kind === kind);
  const notes = async (event: string) => {
    const blocks = await store.auditBlocks(0, 1_000);
    return blocks
      .flatMap((block) => recordsIn(block))
      .filter(({ event: kind }) => kind === event)
      .map(({ id }) => id);
  };
  return { clock, store, jobs, notices, runs, sql, told, notes };
}

const CORRUPT = {
  spec: [`'{"tags":'`, `'7'`],
  life: [`'{"account":[1,'`, `'{}'`, `'{"account":["x"]}'`],
  attempts: [`'[0,'`, `'{}'`],
};

describe('one unreadable row', () => {
  it.each(
    Object.entries(CORRUPT).flatMap(([column, texts]) => texts.map((text) => [column, text])),
  )('(%s = %s) is set aside with a notice, and the others go on', async (column, text) => {
    const { clock, store, jobs, runs, sql, told, notes } = await setUp();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await jobs.enqueue('run', n)).id);
    const [bad = ''] = ids;
    sql(`UPDATE jobs SET ${column} = ${text} WHERE id = '${bad}'`);
    await jobs.start();
    await clock.advance(300_000);

    expect(new Set(runs)).toEqual(new Set(ids.slice(1)));
    expect(told('store_unavailable')).toEqual([]);
    expect(told('job_set_aside')).toEqual([
      { kind: 'job_set_aside', jobId: bad, problem: expect.stringContaining(`${column}: `) },
    ]);
    expect(await notes('set_aside')).toEqual([bad]);
    expect((await store.jobs({}, { limit: 10 })).jobs.map(({ id }) => id).sort()).toEqual(
      ids.sort(),
    );
    expect((await store.counts()).groups).toMatchObject([
      { state: 'ready', count: 1 },
      { state: 'succeeded', count: 2 },
    ]);
    expect(await store.job(bad)).toMatchObject({ id: bad, state: 'ready' });
    expect(await store.unreadableJobs()).toEqual({
      jobs: [{ id: bad, problem: expect.stringContaining(`${column}: `), isSetAside: true }],
      looked: 3,
    });
    expect(await store.unreadableJob(bad)).toEqual((await store.unreadableJobs()).jobs[0]);
    expect(await store.unreadableJob(ids.find((id) => id !== bad) ?? '')).toBeUndefined();
  });

  it('does not keep idle() waiting once it is set aside', async () => {
    const { clock, jobs, sql } = await setUp();
    const { id } = await jobs.enqueue('run', 1);
    await jobs.enqueue('run', 2);
    sql(`UPDATE jobs SET life = '{}' WHERE id = '${id}'`);
    let report: unknown;
    const idle = jobs.idle().then((answer) => {
      report = answer;
    });
    await clock.advance(10_000);
    expect(report).toBeUndefined();
    await jobs.start();
    await clock.advance(300_000);
    expect(report).toEqual({ died: 0, succeeded: 1, left: [] });
    await idle;
  });

  it('is put back when it has been mended, as it was', async () => {
    const { clock, store, jobs, sql, notes } = await setUp();
    const { id } = await jobs.enqueue('run', 1, { tags: ['a'] });
    sql(`CREATE TABLE kept AS SELECT spec FROM jobs; UPDATE jobs SET spec = '{'`);
    await jobs.start();
    await clock.advance(2_000);
    expect(await store.putBack([id])).toEqual([]);
    sql('UPDATE jobs SET spec = (SELECT spec FROM kept)');
    expect(await store.unreadableJobs()).toEqual({
      jobs: [{ id, problem: undefined, isSetAside: true }],
      looked: 1,
    });
    expect(await store.putBack([id])).toEqual([id]);
    expect(await notes('put_back')).toEqual([id]);
    await clock.advance(300_000);
    expect(await store.job(id)).toMatchObject({ state: 'succeeded', tags: ['a'] });
    expect(await store.unreadableJobs()).toEqual({ jobs: [], looked: 1 });
    const reader = await store.readAudit();
    expect(await verifyAudit(reader)).toMatchObject({ ok: true });
    await reader.close();
  });

  it('with an expired lease does not keep others from being rescued', async () => {
    const { clock, store, jobs, sql, told } = await setUp();
    const ids = [(await jobs.enqueue('forever', 1)).id, (await jobs.enqueue('forever', 2)).id];
    const lane = { handler: 'forever', limit: 2, policyHash: 'p', limitPerKey: 9 };
    await store.apply([claimOf(2, { worker: 'gone', lanes: [lane] })]);
    sql(`UPDATE jobs SET lease = '[' WHERE id = '${ids[0]}'`);
    await jobs.start();
    await clock.advance(120_000);
    expect(told('store_error')).toEqual([]);
    expect(told('job_set_aside')).toMatchObject([{ jobId: ids[0] }]);
    expect(told('rescued')).toMatchObject([{ jobId: ids[1] }]);
  });

  it('whose account is not a list is named as such', async () => {
    const { store, jobs, sql } = await setUp();
    const { id } = await jobs.enqueue('run', 1);
    sql(`UPDATE jobs SET life = '{"account":{}}' WHERE id = '${id}'`);
    const { jobs: found } = await store.unreadableJobs();
    expect(found).toMatchObject([{ id, problem: 'life: its account is not a list' }]);
  });

  it('that is parked, late or finished does not hold up ticks, acts and retention', async () => {
    const { clock, store, jobs, sql, notes } = await setUp();
    const late = (await jobs.enqueue('run', 1, { deadline: new Date(START_MS + 1_000) })).id;
    const other = (await jobs.enqueue('run', 2, { deadline: new Date(START_MS + 1_000) })).id;
    sql(`UPDATE jobs SET life = '{' WHERE id = '${late}'`);
    await clock.advance(2_000);
    const actor = { name: 'test' };
    const [ticked] = await store.apply([{ kind: 'tick', limit: 10, actor }]);
    expect(ticked).toMatchObject({ ok: true });
    expect((await store.job(other))?.state).toBe('dead');
    expect(await notes('set_aside')).toEqual([late]);
    const cancel = { kind: 'act', act: 'cancel', id: late, actor } as const;
    expect(await store.apply([cancel])).toEqual([{ ok: false, refusal: 'illegal' }]);
    sql(`UPDATE jobs SET life = '{' WHERE id = '${other}'`);
    const keep = { succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 };
    await clock.advance(10);
    const [pruned] = await store.apply([{ kind: 'prune', ...keep, limit: 10, actor }]);
    expect(pruned).toMatchObject({ ok: true });
    expect((await store.deadLetters({}, { limit: 10 })).jobs).toMatchObject([{ id: other }]);
  });
});
