import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JOB_STATES } from '../job/job.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { AuditRecord } from './audit-block.ts';
import { AuditProblems } from './audit-problem.ts';
import { type AuditEntry, BlockRecords } from './encode-block.ts';
import { placedRecordsIn, readBody, recordAt, recordsIn } from './read-body.ts';

const CLAIMED: AuditEntry = {
  id: 'a',
  event: 'claim',
  from: 'ready',
  to: 'leased',
  atMs: 1_000,
  revision: 2,
  token: 1,
  generation: 1,
  executions: 1,
  previousBlock: 7,
  detail: '{"by":"w"}',
};

const FAILED: AuditEntry = {
  ...CLAIMED,
  event: 'settle',
  from: 'leased',
  to: 'scheduled',
  detail: '{"by":"w","attempt":0,"input":{"random":0},"own":["attempt","input.random"]}',
  own: '[1,0.5]',
};

function bodyOf(entries: readonly AuditEntry[]): string {
  const records = new BlockRecords();
  for (const entry of entries) records.add(entry);
  return records.body;
}

test('what all records of a block share stands once, then ids and what differs', () => {
  const others = [
    { ...CLAIMED, id: 'b', previousBlock: 8 },
    { ...CLAIMED, id: '"c"', previousBlock: 7 },
  ];
  expect(bodyOf([CLAIMED, ...others])).toBe(
    '[[["a","b","\\"c\\""],2,"claim","ready","leased",1000,1,1,1,[7,8,7],{"by":"w"}]]',
  );
});

test('jobs that fail together share what their decision rests on', () => {
  const body = bodyOf([FAILED, { ...FAILED, id: 'b', own: '[2,0.25]' }]);
  expect(body).toBe(
    `[[["a","b"],2,"settle","leased","scheduled",1000,1,1,1,7,${FAILED.detail},[[1,0.5],[2,0.25]]]]`,
  );
  expect(recordsIn({ body }).map((record) => record.detail)).toEqual([
    { by: 'w', attempt: 1, input: { random: 0.5 } },
    { by: 'w', attempt: 2, input: { random: 0.25 } },
  ]);
});

test('a record alone is written as it is read', () => {
  const detail = '{"by":"w","attempt":1,"input":{"random":0.5}}';
  expect(bodyOf([FAILED])).toBe(`[["a",2,"settle","leased","scheduled",1000,1,1,1,7,${detail}]]`);
});

test('records of one job keep their order, whatever stands between them', () => {
  const restored = { ...CLAIMED, event: 'restore', from: 'purged', to: 'dead' } as const;
  const entries: AuditEntry[] = [
    CLAIMED,
    { ...FAILED, revision: 3 },
    { ...CLAIMED, revision: 4 },
    { ...restored, revision: 5 },
    { ...restored, revision: 6, detail: '{"by":"eve"}' },
    { ...restored, revision: 7 },
  ];
  const read = recordsIn({ body: bodyOf(entries) });
  expect(read.map((record) => record.revision)).toEqual([2, 3, 4, 5, 6, 7]);
});

test('an item that is no record takes no place from the records behind it', () => {
  const [first, ...rest] = JSON.parse(bodyOf([CLAIMED, { ...FAILED, id: 'b' }]));
  const body = JSON.stringify([first, 'damaged', ...rest]);
  const placed = placedRecordsIn({ body });
  expect(placed.map(({ index, record }) => [index, record.id])).toEqual([
    [0, 'a'],
    [2, 'b'],
  ]);
  for (const { index, record } of placed) expect(recordAt(body, index)).toEqual(record);
});

const number = fc.integer({ min: 0, max: 3 });
const entry: fc.Arbitrary<AuditEntry> = fc.record({
  id: fc.string({ unit: 'grapheme', maxLength: 3 }),
  event: fc.constantFrom('enqueue', 'claim', 'settle', 'prune', 'act'),
  from: fc.constantFrom(null, ...JOB_STATES),
  to: fc.constantFrom(...JOB_STATES),
  atMs: number,
  revision: number,
  token: number,
  generation: number,
  executions: number,
  previousBlock: number,
  detail: fc.constantFrom('{}', '{"by":"w"}', '{"by":"w","why":[[1],2]}'),
});

test('every record is read as it was given', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const body = bodyOf(entries);
      const texts = entries.map((each) => fieldsOf({ ...each, detail: JSON.parse(each.detail) }));
      const read = recordsIn({ body });
      expect(read.map(fieldsOf).toSorted()).toEqual(texts.toSorted());
      for (const [at, record] of read.entries()) expect(recordAt(body, at)).toEqual(record);
    }),
  );
});

function fieldsOf(record: AuditRecord): string {
  return JSON.stringify(Object.entries(record).toSorted());
}

const GROUP: readonly unknown[] = JSON.parse(
  bodyOf([FAILED, { ...FAILED, id: 'b', revision: 3, own: '[2,0.25]' }]),
)[0];

test.each<[string, unknown[]]>([
  ['no id', GROUP.with(0, [])],
  ['an id less', GROUP.with(0, ['a'])],
  ['an id that is no text', GROUP.with(0, ['a', 7])],
  ['an id that is a list', GROUP.with(0, ['a', ['b']])],
  ['a revision less', GROUP.with(1, [2])],
  ['a revision more', GROUP.with(1, [2, 3, 4])],
  ['a revision that is no number', GROUP.with(1, [2, '3'])],
  ['an unknown event', GROUP.with(2, 'steal')],
  ['an unknown state', GROUP.with(4, ['scheduled', 'lost'])],
  ['values less', GROUP.with(11, [[1, 0.5]])],
  ['a value less', GROUP.with(11, [[1, 0.5], [2]])],
  [
    'a value more',
    GROUP.with(11, [
      [1, 0.5],
      [2, 0.25, 3],
    ]),
  ],
  ['values that are no list', GROUP.with(11, 1)],
  ['values without names', GROUP.with(10, { by: 'w' })],
  ['no detail', GROUP.slice(0, 10)],
  ['a field more', [...GROUP, 1]],
])('a group with %s is a problem', (_, group) => {
  const problems = new AuditProblems(10);
  readBody({ seq: 1, body: JSON.stringify([group]) }, problems);
  expect(problems.list[0]).toMatchObject({ kind: 'body', where: { block: 1 } });
});

test('no name of a value reaches another object', () => {
  const detail = { by: 'w', own: ['__proto__.polluted', 'a.b.c.d.e'] };
  const group = GROUP.with(10, detail).with(11, [
    [1, 2],
    [1, 2],
  ]);
  const [record] = recordsIn({ body: JSON.stringify([group]) });
  expect(record?.detail).toHaveProperty(['a', 'b', 'c'], 2);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('a job that succeeds leaves fewer than 110 bytes, and one that fails twice fewer than 500', async () => {
  for (const [failures, most] of [
    [0, 110],
    [2, 500],
  ] as const) {
    const store = memoryStore();
    const calls = new Map<number, number>();
    const run = async (job: number): Promise<void> => {
      const call = (calls.get(job) ?? 0) + 1;
      calls.set(job, call);
      if (call <= failures) throw new Error('dependency down');
    };
    const policy = { maxAttempts: 8, backoff: 'fixed', baseDelayMs: 0 } as const;
    const jobs = jobsOn(store, { job: { run, policy } }, { concurrency: 100 });
    const payloads = Array.from({ length: 500 }, (_, job) => job);
    const accepted = await jobs.enqueueMany('job', payloads);
    await jobs.start();
    await Promise.all(accepted.map(({ id }) => jobs.wait(id)));
    await jobs.stop();
    const blocks = await store.auditBlocks(0, 1_000);
    const bytes = blocks.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    expect(bytes / payloads.length).toBeLessThan(most);
  }
});
