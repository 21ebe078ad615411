import { DECIDE_VERSION } from '@redrive/core/stored';
import { beforeAll, expect, test } from 'vitest';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { snapshotOf } from '../testing/tamper.ts';
import { positionOf } from './anchor.ts';
import type { AuditRecord } from './audit-block.ts';
import { recordsIn } from './read-body.ts';
import { replaySession } from './replay.ts';

let log: AuditSnapshot;

beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 11, rounds: 60 });
  log = await snapshotOf(await store.readAudit(), policies);
});

/** Ids with so many records that fit. */
function idsWith(fits: (record: AuditRecord) => boolean, atLeast = 1): string[] {
  const counts = new Map<string, number>();
  for (const record of log.blocks.flatMap((block) => recordsIn(block))) {
    if (fits(record)) counts.set(record.id, (counts.get(record.id) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= atLeast).map(([id]) => id);
}

const isRetry = ({ detail }: AuditRecord): boolean => detail.reason === 'retryable_error';

test('a job is replayed from its beginning, with every decision and the parts of its wait', async () => {
  const [id] = idsWith(isRetry, 2);
  const replay = await replaySession(snapshotReader(log), id ?? '');
  expect(replay).toMatchObject({ session: id, omitted: 0, same: true });
  expect(replay.steps[0]?.record.event).toBe('enqueue');
  const revisions = replay.steps.map(({ record }) => record.revision);
  expect(revisions).toEqual(revisions.map((_, index) => index + 1));
  const retries = replay.steps.filter(
    ({ decision }) => decision?.answer.reason === 'retryable_error',
  );
  expect(retries.length).toBeGreaterThanOrEqual(2);
  for (const { decision } of retries) {
    expect(decision).toMatchObject({ policyId: 'history', version: DECIDE_VERSION, same: true });
    expect(decision?.derived).toEqual(decision?.answer);
    const { nominalMs = 0, minMs = 0, maxMs = 0, drawnMs } = decision?.wait ?? {};
    expect(minMs).toBe(0);
    expect(maxMs).toBe(nominalMs);
    expect(drawnMs).toBe(decision?.answer.delayMs);
  }
});

test('a session that was handed over is found under its own id and its job’s', async () => {
  const [session] = idsWith(({ event, detail }) => event === 'enqueue' && 'session' in detail);
  const replay = await replaySession(snapshotReader(log), `session-of-${session}`);
  expect(replay.steps.length).toBeGreaterThan(1);
  expect(new Set(replay.steps.map(({ record }) => record.id))).toEqual(new Set([session]));
});

test('a session in process is replayed from its notes', async () => {
  const [id] = idsWith(({ event }) => event === 'session');
  const replay = await replaySession(snapshotReader(log), id ?? '');
  expect(replay.same).toBe(true);
  const decided = replay.steps.filter(({ decision }) => decision !== undefined);
  expect(decided.length).toBeGreaterThanOrEqual(2);
  expect(decided[0]?.decision?.input.rung).toBe('call');
});

test('a hint is shown beside what was drawn', async () => {
  const [id] = idsWith(
    ({ detail }) => detail.reason === 'rate_limited' && Number(detail.delayMs) < 800,
  );
  const replay = await replaySession(snapshotReader(log), id ?? '');
  const hinted = replay.steps.find(({ decision }) => decision?.wait?.hintMs !== undefined);
  expect(hinted?.decision?.wait).toMatchObject({ hintMs: 700 });
});

test('an answer that was changed is not the same', async () => {
  const [id] = idsWith(isRetry);
  const blocks = log.blocks.map((block) => ({
    ...block,
    body: block.body.replace(/"reason":"retryable_error"/g, '"reason":"rate_limited"'),
  }));
  const replay = await replaySession(snapshotReader({ ...log, blocks }), id ?? '');
  expect(replay.same).toBe(false);
  expect(replay.steps.some(({ decision }) => decision?.same === false)).toBe(true);
});

test('a decision without its policy or its input cannot be derived', async () => {
  const [id] = idsWith(isRetry);
  const unknown = await replaySession(snapshotReader({ ...log, policies: new Map() }), id ?? '');
  expect(unknown.same).toBe(false);
  const blocks = log.blocks.map((block) => ({
    ...block,
    body: block.body.replaceAll('"input":', '"other":'),
  }));
  const without = await replaySession(snapshotReader({ ...log, blocks }), id ?? '');
  expect(without.same).toBe(false);
});

test('records are in the order of their revisions, whatever the order of their blocks', async () => {
  const [id] = idsWith(isRetry, 2);
  const blocks = log.blocks
    .toReversed()
    .map((block, index) => ({ ...block, position: positionOf(index) }));
  const replay = await replaySession(snapshotReader({ ...log, blocks }), id ?? '');
  const revisions = replay.steps.map(({ record }) => record.revision);
  expect(revisions).toEqual(revisions.map((_, index) => index + 1));
});

test('a session that nobody knows has no steps', async () => {
  const replay = await replaySession(snapshotReader(log), 'nobody');
  expect(replay).toEqual({ session: 'nobody', steps: [], omitted: 0, same: true });
});

test('no more steps are kept than asked for', async () => {
  const [id] = idsWith(isRetry, 2);
  const all = await replaySession(snapshotReader(log), id ?? '');
  const some = await replaySession(snapshotReader(log), id ?? '', { maxSteps: 2 });
  expect(some.steps).toHaveLength(2);
  expect(some.omitted).toBe(all.steps.length - 2);
});

test('stops at a signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(replaySession(snapshotReader(log), 'x', { signal })).rejects.toThrow('enough');
});
