import { virtualClock } from '@redrive/testkit';
import { beforeAll, expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { snapshotOf } from '../testing/tamper.ts';
import { verifyAudit } from './verify.ts';

let sound: AuditSnapshot;

beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 3, rounds: 60 });
  sound = await snapshotOf(await store.readAudit(), policies);
});

test('a log that nobody has touched is sound, and 10,000 decisions are what they were', async () => {
  const { store } = await auditedHistory({ seed: 1, rounds: 500, jobsPerRound: 20 });
  const answer = await verifyAudit(await store.readAudit());
  expect(answer).toMatchObject({ ok: true, problems: [], problemsFound: 0 });
  expect(answer.decisions).toBeGreaterThanOrEqual(10_000);
  expect(answer.sealed).toBe(answer.records);
});

test('an empty log is sound and has no head', async () => {
  const answer = await verifyAudit(await memoryStore({ clock: virtualClock() }).readAudit());
  expect(answer).toEqual({
    ok: true,
    blocks: 0,
    records: 0,
    decisions: 0,
    sealed: 0,
    head: undefined,
    problems: [],
    problemsFound: 0,
  });
});

test('records that are not sealed yet are counted apart', async () => {
  const { store } = await auditedHistory({ seed: 5, rounds: 20, sealAll: false });
  await store.apply([{ kind: 'note', event: 'act', subject: 'x', detail: '{}' }]);
  const before = await verifyAudit(await store.readAudit());
  expect(before.ok).toBe(true);
  expect(before.sealed).toBeLessThan(before.records);
  await store.seal();
  const after = await verifyAudit(await store.readAudit(), { head: before.head });
  expect(after).toMatchObject({ ok: true, sealed: before.records });
  expect(after.head?.seq).toBe((before.head?.seq ?? 0) + 1);
  expect(await store.seal()).toBeUndefined();
});

test('a reader sees the moment in which it was opened', async () => {
  const { store } = await auditedHistory({ seed: 6, rounds: 5 });
  const reader = await store.readAudit();
  const [first] = (await store.jobs({}, { limit: 1 })).jobs;
  const act = { kind: 'act', act: 'cancel', id: first?.id ?? '', actor: { name: 'a' } } as const;
  await store.apply([act, { kind: 'tick', limit: 10, actor: { name: 'a' } }]);
  expect((await verifyAudit(reader)).ok).toBe(true);
  expect((await verifyAudit(await store.readAudit())).ok).toBe(true);
});

test('too many jobs for one pass: the same answer in several', async () => {
  const wrong = forgedLookups();
  for (const log of [sound, wrong]) {
    const options = { maxProblems: 1_000 };
    const passes = new Set<number>();
    const whole = await verifyAudit(snapshotReader(log), options);
    const parts = await verifyAudit(snapshotReader(log), {
      ...options,
      maxJobs: 40,
      onProgress: ({ pass }) => void passes.add(pass),
    });
    expect(passes.size).toBeGreaterThan(4);
    expect(parts.problemsFound).toBe(whole.problemsFound);
    const texts = (problems: typeof whole.problems) =>
      problems.map((p) => JSON.stringify(p)).sort();
    expect(texts(parts.problems)).toEqual(texts(whole.problems));
    expect({ ...parts, problems: [] }).toEqual({ ...whole, problems: [] });
  }

  function forgedLookups(): AuditSnapshot {
    return { ...sound, lookups: sound.lookups.map((row) => ({ ...row, token: row.token + 1 })) };
  }
});

test('problems are listed up to the limit, and counted beyond it', async () => {
  const lookups = sound.lookups.map((row) => ({ ...row, token: row.token + 1 }));
  const log = snapshotReader({ ...sound, lookups });
  const answer = await verifyAudit(log, { maxProblems: 3 });
  expect(answer.problems).toHaveLength(3);
  expect(answer.problemsFound).toBe(sound.lookups.length);
});

test('reports its progress, and stops at a signal', async () => {
  const seen: unknown[] = [];
  const controller = new AbortController();
  const verification = verifyAudit(snapshotReader(sound), {
    onProgress(progress) {
      seen.push(progress);
      controller.abort(new Error('enough'));
    },
    signal: controller.signal,
  });
  await expect(verification).rejects.toThrow('enough');
  expect(seen).toMatchObject([{ pass: 1, blocks: 100, seq: 100 }]);
});

test('wrong options are refused', async () => {
  await expect(verifyAudit(snapshotReader(sound), { maxProblems: 0 })).rejects.toMatchObject({
    code: 'invalid_option',
  });
});
