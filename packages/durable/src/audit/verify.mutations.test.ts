import { seededRandom } from '@redrive/testkit';
import { beforeAll, expect, test } from 'vitest';
import { JOB_STATES } from '../job/job.ts';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { rechained, resealed, snapshotOf, sorted } from '../testing/tamper.ts';
import { positionOf } from './anchor.ts';
import { verifyAudit } from './verify.ts';

const random = seededRandom(20_260_129);
let sound: AuditSnapshot;

beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 7, rounds: 8 });
  sound = await snapshotOf(await store.readAudit(), policies);
});

type Mutation = (log: AuditSnapshot) => AuditSnapshot;

const below = (limit: number): number => Math.floor(random() * limit);
const indexIn = (list: readonly unknown[]): number => below(list.length);
const changedHex = (hex: string): string => hex.replace(/[\da-f]/, (d) => (d === '0' ? '1' : '0'));

/** Changes one entry of a list. */
function changed<T>(list: readonly T[], change: (entry: T) => T): T[] {
  const index = indexIn(list);
  return list.map((entry, at) => (at === index ? change(entry) : entry));
}

function without<T>(list: readonly T[], index = indexIn(list)): T[] {
  return list.toSpliced(index, 1);
}

/** Two entries whose places are not the same. */
function twoOf<T>(list: readonly T[]): [number, number] {
  const first = indexIn(list);
  return [first, (first + 1 + below(list.length - 1)) % list.length];
}

/** Flips one character of a text that stays JSON, if it was. */
function flipped(body: string): string {
  const places = [...body.matchAll(/\d/g)].map(({ index }) => index);
  const at = places[indexIn(places)] ?? 0;
  const digit = (Number(body[at]) + 1 + below(8)) % 10;
  return `${body.slice(0, at)}${digit}${body.slice(at + 1)}`;
}

/** Changes the list of records in one block. */
function withRecords(
  { blocks }: AuditSnapshot,
  change: (records: unknown[]) => unknown[],
  minimum = 1,
): AuditSnapshot['blocks'] {
  const places = blocks.flatMap((block, index) =>
    JSON.parse(block.body).length >= minimum ? [index] : [],
  );
  const place = places[indexIn(places)];
  return blocks.map((block, index) =>
    index === place ? { ...block, body: JSON.stringify(change(JSON.parse(block.body))) } : block,
  );
}

/** Of who can write to the tables. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a block: seq': (log) => ({
    ...log,
    blocks: changed(log.blocks, (block) => ({ ...block, seq: block.seq + 1_000 })),
  }),
  'a block: writer': (log) => ({
    ...log,
    blocks: changed(log.blocks, (block) => ({ ...block, writer: 'another' })),
  }),
  'a block: its time': (log) => ({
    ...log,
    blocks: changed(log.blocks, (block) => ({ ...block, atMs: block.atMs - 1 - below(9) })),
  }),
  'a block: prevHash': (log) => ({
    ...log,
    blocks: changed(log.blocks, (block) => ({ ...block, prevHash: changedHex(block.hash) })),
  }),
  'a block: hash': (log) => ({
    ...log,
    blocks: changed(log.blocks, (block) => ({ ...block, hash: changedHex(block.hash) })),
  }),
  'a block: position': (log) => ({
    ...log,
    blocks: changed(log.blocks, (block) => ({ ...block, position: `${block.position}.5` })),
  }),
  'a block: one character of its body': (log) => ({
    ...log,
    blocks: changed(log.blocks, (block) => ({ ...block, body: flipped(block.body) })),
  }),
  'a block: its body, and all hashes of the chain': (log) => ({
    ...log,
    blocks: rechained(changed(log.blocks, (block) => ({ ...block, body: flipped(block.body) }))),
  }),
  'a block: its body is no JSON': (log) => ({
    ...log,
    blocks: rechained(changed(log.blocks, (block) => ({ ...block, body: block.body.slice(1) }))),
  }),
  'a block dropped': (log) => ({ ...log, blocks: without(log.blocks) }),
  'a block dropped, and the chain mended': (log) => ({
    ...log,
    blocks: rechained(without(log.blocks)),
  }),
  'a record dropped, and the chain mended': (log) => ({
    ...log,
    blocks: rechained(withRecords(log, (records) => without(records))),
  }),
  'two blocks: contents exchanged': (log) => {
    const [a, b] = twoOf(log.blocks);
    const blocks = log.blocks.map((block, at) => {
      const from = log.blocks[at === a ? b : at === b ? a : at] ?? block;
      return { ...from, seq: block.seq, position: block.position };
    });
    return { ...log, blocks };
  },
  'two blocks: bodies exchanged, and the chain mended': (log) => {
    const [a, b] = twoOf(log.blocks);
    const blocks = log.blocks.map((block, at) => {
      const from = log.blocks[at === a ? b : at === b ? a : at] ?? block;
      return { ...block, body: from.body };
    });
    return { ...log, blocks: rechained(blocks) };
  },
  'two records exchanged, and the chain mended': (log) => ({
    ...log,
    blocks: rechained(
      withRecords(
        log,
        (records) => {
          const [a, b] = twoOf(records);
          return records.with(a, records[b]).with(b, records[a]);
        },
        2,
      ),
    ),
  }),
  'a block inserted': (log) => {
    const copy = log.blocks[indexIn(log.blocks)];
    if (copy === undefined) return log;
    const [seq, position] = [copy.seq + 5_000, `${positionOf(copy.seq)}+`];
    return { ...log, blocks: [...log.blocks, { ...copy, seq, position }] };
  },
  'an empty block inserted, and the chain mended': (log) => {
    const at = indexIn(log.blocks);
    const copy = log.blocks[at];
    if (copy === undefined) return log;
    const position = `${copy.position}+`;
    const inserted = { ...copy, seq: copy.seq + 5_000, position, body: '[]' };
    return { ...log, blocks: rechained(log.blocks.toSpliced(at + 1, 0, inserted)) };
  },
  'a record inserted, and the chain mended': (log) => ({
    ...log,
    blocks: rechained(withRecords(log, (records) => [...records, records[indexIn(records)]])),
  }),
  'the end cut off: blocks': (log) => ({
    ...log,
    blocks: log.blocks.slice(0, -1 - below(log.blocks.length - 1)),
  }),
  'the end cut off: anchors': (log) => ({
    ...log,
    anchors: log.anchors.slice(0, -1 - below(log.anchors.length - 1)),
  }),
  'the end cut off: anchors with all their blocks': (log) => {
    const anchors = log.anchors.slice(0, -1 - below(log.anchors.length - 1));
    const sealed = anchors.reduce((sum, { blocks }) => sum + blocks, 0);
    return { ...log, anchors, blocks: log.blocks.slice(0, sealed) };
  },
  'everything gone': (log) => ({ ...log, anchors: [], blocks: [], lookups: [] }),
  'an anchor: seq': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, seq: anchor.seq + 1_000 })),
  }),
  'an anchor: from': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, from: positionOf(0) })),
  }),
  'an anchor: to': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, to: `${anchor.to}+` })),
  }),
  'an anchor: blocks': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, blocks: anchor.blocks + 1 })),
  }),
  'an anchor: root': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, root: changedHex(anchor.root) })),
  }),
  'an anchor: prevHash': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, prevHash: changedHex(anchor.hash) })),
  }),
  'an anchor: hash': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, hash: changedHex(anchor.hash) })),
  }),
  'an anchor: its time': (log) => ({
    ...log,
    anchors: changed(log.anchors, (anchor) => ({ ...anchor, atMs: anchor.atMs + 1 })),
  }),
  'an anchor dropped': (log) => ({ ...log, anchors: without(log.anchors) }),
  'an anchor inserted': (log) => {
    const copy = log.anchors[indexIn(log.anchors)];
    return copy ? { ...log, anchors: [...log.anchors, { ...copy, seq: -1 - below(9) }] } : log;
  },
  'a body, with all hashes and anchors made anew': (log) =>
    resealed({
      ...log,
      blocks: changed(log.blocks, (block) => ({ ...block, body: flipped(block.body) })),
    }),
  'a row: revision': (log) => ({
    ...log,
    lookups: changed(log.lookups, (row) => ({ ...row, revision: row.revision + 1 - 2 * below(2) })),
  }),
  'a row: token': (log) => ({
    ...log,
    lookups: changed(log.lookups, (row) => ({ ...row, token: row.token + 1 - 2 * below(2) })),
  }),
  'a row: auditBlock': (log) => ({
    ...log,
    lookups: changed(log.lookups, (row) => ({ ...row, auditBlock: below(row.auditBlock) })),
  }),
  'a row: state': (log) => ({
    ...log,
    lookups: changed(log.lookups, (row) => {
      // A due job becomes ready without a record: the log cannot show it.
      const others = JOB_STATES.filter(
        (state) => state !== row.state && !(row.state === 'scheduled' && state === 'ready'),
      );
      return { ...row, state: others[indexIn(others)] ?? row.state };
    }),
  }),
  'a row: id': (log) => ({
    ...log,
    lookups: changed(log.lookups, (row) => ({ ...row, id: `${row.id}+` })),
  }),
  'a row dropped': (log) => ({ ...log, lookups: without(log.lookups) }),
  'a row inserted': (log) => {
    const copy = log.lookups[indexIn(log.lookups)];
    return copy ? { ...log, lookups: [...log.lookups, { ...copy, id: `${copy.id}+` }] } : log;
  },
};

const TIMES = Math.ceil(1_000 / Object.keys(MUTATIONS).length);

test('what nobody has touched is sound, also in the hands of who changes it back', async () => {
  const head = sound.anchors.at(-1);
  expect(await verifyAudit(snapshotReader(sound), { head })).toMatchObject({ problems: [] });
  expect(await verifyAudit(snapshotReader(resealed(sound)), { head })).toMatchObject({ ok: true });
});

test.each(Object.entries(MUTATIONS))(`found ${TIMES} of ${TIMES} times: %s`, async (_, mutate) => {
  const head = sound.anchors.at(-1);
  for (let time = 0; time < TIMES; time++) {
    const log = sorted(mutate(sound));
    expect(JSON.stringify(log)).not.toBe(JSON.stringify(sound));
    const answer = await verifyAudit(snapshotReader(log), { head });
    expect(answer.ok, JSON.stringify(answer.head)).toBe(false);
    expect(answer.problems.length).toBeGreaterThan(0);
  }
});
