import { expect, test } from 'vitest';
import type { AuditRecord } from './audit-block.ts';
import { AuditProblems } from './audit-problem.ts';
import { ALL_JOBS, JobTrails } from './job-trails.ts';

const NOTHING_THERE = { lookups: async () => [] };

function recordOf(
  revision: number,
  event: AuditRecord['event'],
  from: AuditRecord['from'],
  to: AuditRecord['to'],
): AuditRecord {
  const counts = { token: 0, generation: 1, executions: 0, previousBlock: revision - 1 };
  return { id: 'j', revision, event, from, to, atMs: 0, ...counts, detail: {} };
}

/** The records of a job that is purged and restored again and again, each in a block of its own. */
function* purgedAndRestored(count: number): Generator<{ record: AuditRecord; block: number }> {
  yield { block: 1, record: recordOf(1, 'enqueue', null, 'ready') };
  yield { block: 2, record: recordOf(2, 'cancel', 'ready', 'cancelled') };
  for (let revision = 3; revision <= count; revision++) {
    const even = revision % 2 === 0;
    const [event, from, to] = even
      ? (['restore', 'purged', 'cancelled'] as const)
      : (['purge', 'cancelled', 'purged'] as const);
    yield { block: revision, record: recordOf(revision, event, from, to) };
  }
}

test('what follows a gap waits for it, but not for ever', async () => {
  const problems = new AuditProblems(10);
  const trails = new JobTrails(ALL_JOBS, 10, problems);
  const entries = [...purgedAndRestored(200)].filter(({ block }) => block !== 2);
  for (const entry of entries.slice(0, 60)) trails.take(entry);
  expect(problems.found).toBe(0);
  for (const entry of entries.slice(60, 80)) trails.take(entry);
  expect(problems.list).toMatchObject([{ kind: 'revision', expected: '2', found: '3' }]);
  for (const entry of entries.slice(80)) trails.take(entry);
  await trails.end({
    lookups: async (after) =>
      after === ''
        ? [{ id: 'j', revision: 200, token: 0, auditBlock: 200, state: 'cancelled' }]
        : [],
  });
  expect(problems.found).toBe(1);
});

test('a job without a row, and one that is over', async () => {
  const problems = new AuditProblems(10);
  const trails = new JobTrails(ALL_JOBS, 10, problems);
  for (const entry of purgedAndRestored(3)) trails.take(entry);
  await trails.end(NOTHING_THERE);
  expect(problems.list).toMatchObject([{ kind: 'lookup', found: 'no job', where: { id: 'j' } }]);

  const pruned = new AuditProblems(10);
  const others = new JobTrails(ALL_JOBS, 10, pruned);
  for (const entry of purgedAndRestored(3)) others.take(entry);
  others.take({ block: 4, record: recordOf(4, 'prune', 'purged', 'purged') });
  await others.end(NOTHING_THERE);
  expect(pruned.found).toBe(0);
});

test('more jobs than it may keep: it says so, and keeps no more', () => {
  const trails = new JobTrails(ALL_JOBS, 3, new AuditProblems(10));
  for (let n = 0; n < 100; n++) {
    expect(trails.overflowed).toBe(n > 3);
    const record = { ...recordOf(1, 'enqueue', null, 'ready'), id: `job-${n}` };
    trails.take({ record, block: n });
  }
});
