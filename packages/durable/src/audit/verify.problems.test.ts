import { decide } from '@redrive/core';
import { beforeAll, expect, test } from 'vitest';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { bodyOf, kindsIn, resealed, snapshotOf } from '../testing/tamper.ts';
import type { AuditRecord } from './audit-block.ts';
import { recordsIn } from './read-body.ts';
import { revive } from './rederive.ts';
import { verifyAudit } from './verify.ts';

// Each kind of problem of jobs and decisions by itself. Hashes and anchors are made anew: only what the records say can
// give a change away.

let sound: AuditSnapshot;

beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 7, rounds: 60 });
  sound = await snapshotOf(await store.readAudit(), policies);
});

/** Changes the first record that fits, and makes all hashes and anchors anew: only what it says can give it away. */
function forged(
  fits: (record: AuditRecord) => boolean,
  change: (record: AuditRecord) => AuditRecord[],
): AuditSnapshot {
  let done = false;
  const blocks = sound.blocks.map((block) => {
    if (done) return block;
    const records = recordsIn(block);
    const index = records.findIndex(fits);
    const found = records[index];
    if (found === undefined) return block;
    done = true;
    const changed = records.toSpliced(index, 1, ...change(structuredClone(found)));
    return { ...block, body: bodyOf(changed) };
  });
  expect(done).toBe(true);
  return resealed({ ...sound, blocks });
}

const isRetry = ({ event, detail }: AuditRecord): boolean =>
  event === 'settle' && detail.reason === 'retryable_error';

test('revision: one is missing', async () => {
  expect(await kindsIn(forged(isRetry, () => []))).toEqual(['revision']);
});

test('revision: one is there twice', async () => {
  expect(await kindsIn(forged(isRetry, (record) => [record, record]))).toEqual(['revision']);
});

test('revision: a record of a job that is deleted', async () => {
  const after = (record: AuditRecord): AuditRecord => {
    return {
      ...record,
      revision: record.revision + 1,
      event: 'restore',
      from: 'purged',
      to: 'dead',
    };
  };
  const log = forged(
    ({ event }) => event === 'prune',
    (record) => [record, after(record)],
  );
  expect(await kindsIn(log)).toEqual(['revision']);
});

test('transition: an event that is not legal', async () => {
  const log = forged(
    ({ event }) => event === 'claim',
    (record) => [{ ...record, event: 'unpark' }],
  );
  expect(await kindsIn(log)).toContain('transition');
});

test('transition: not from where it was', async () => {
  const log = forged(
    ({ event, from }) => event === 'cancel' && from === 'scheduled',
    (record) => [{ ...record, from: 'parked' }],
  );
  expect(await kindsIn(log)).toEqual(['transition']);
});

test('transition: not where the decision leads', async () => {
  const log = forged(
    (record) => isRetry(record) && record.to === 'scheduled',
    (record) => [{ ...record, to: 'parked' }],
  );
  const { problems } = await verifyAudit(snapshotReader(log));
  expect(problems[0]).toMatchObject({
    kind: 'transition',
    expected: 'to scheduled',
    found: 'to parked',
  });
});

test('transition: restored as something else', async () => {
  const log = forged(
    ({ event, to }) => event === 'restore' && to === 'dead',
    (record) => [{ ...record, to: 'cancelled' }],
  );
  expect(await kindsIn(log)).toContain('transition');
});

test.each(['token', 'generation', 'executions'] as const)('count: %s', async (field) => {
  const log = forged(
    ({ event }) => event === 'claim',
    (record) => [{ ...record, [field]: record[field] + 1 }],
  );
  expect(await kindsIn(log)).toContain('count');
});

test('pointer', async () => {
  const log = forged(
    ({ event }) => event === 'claim',
    (record) => [{ ...record, previousBlock: 1_234 }],
  );
  expect(await kindsIn(log)).toEqual(['pointer']);
});

test('decision: another answer', async () => {
  const log = forged(isRetry, (record) => {
    const detail = { ...record.detail, delayMs: Number(record.detail.delayMs) + 1 };
    return [{ ...record, detail }];
  });
  expect(await kindsIn(log)).toContain('decision');
});

test.each(['input', 'policy', 'decide'])('decision: without its %s', async (name) => {
  const log = forged(isRetry, (record) => {
    const { [name]: _gone, ...detail } = record.detail;
    return [{ ...record, detail }];
  });
  expect(await kindsIn(log)).toContain('decision');
});

test('decision: an input that is none, and a version that nobody knows', async () => {
  for (const change of [{ input: { outcome: 1 } }, { input: {} }, { decide: 99 }]) {
    const log = forged(isRetry, (record) => [
      { ...record, detail: { ...record.detail, ...change } },
    ]);
    expect(await kindsIn(log)).toContain('decision');
  }
});

test('policy', async () => {
  expect(await kindsIn({ ...sound, policies: new Map() })).toEqual(['policy']);
  const [known] = sound.policies.values();
  if (known === undefined) throw new Error('There is a policy.');
  const other = { ...known, policy: { ...known.policy, maxDelayMs: 1, jitterAmount: 0 } };
  const policies = new Map([[known.hash, other]]);
  expect(await kindsIn({ ...sound, policies }, { maxProblems: 10_000 })).toContain('decision');
});

test('input: a number that is not the session’s, with the answer that follows from it', async () => {
  const [known] = sound.policies.values();
  const log = forged(isRetry, (record) => {
    const input = { ...(revive(record.detail.input) as object), random: 0.999 } as never;
    const { delayMs } = decide({ ...(input as object), policy: known?.policy } as never);
    return [{ ...record, detail: { ...record.detail, input, delayMs } }];
  });
  const { problems } = await verifyAudit(snapshotReader(log));
  expect(problems[0]).toMatchObject({
    kind: 'input',
    expected: expect.stringMatching(/^random 0/),
    found: 'random 0.999',
  });
});

test('input: another account than the records before make', async () => {
  const log = forged(isRetry, (record) => {
    const input = record.detail.input as { account: { freeWaits: number } };
    const account = { ...input.account, freeWaits: input.account.freeWaits + 1 };
    const changed = { ...record.detail, input: { ...input, account } };
    return [{ ...record, detail: changed }];
  });
  expect(await kindsIn(log)).toEqual(['input']);
});

test('input: a session in process with another number', async () => {
  const log = forged(
    ({ event, detail }) =>
      event === 'session' && detail.kind === 'attempt_ended' && detail.success === false,
    (record) => {
      const session = { ...(record.detail.session as object), sessionId: 'another' };
      return [{ ...record, detail: { ...record.detail, session } }];
    },
  );
  expect(await kindsIn(log)).toEqual(['input']);
});

test('lookup', async () => {
  const lookups = sound.lookups.slice(1);
  expect(await kindsIn({ ...sound, lookups })).toEqual(['lookup']);
});
