import { seededRandom } from '@redrive/testkit';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { rechained, resealed, snapshotOf } from '../testing/tamper.ts';
import { type Anchor, anchorHash, blockLeaf, positionOf, sealBlocks } from './anchor.ts';
import type { AuditRecord } from './audit-block.ts';
import { checkProof, type ProofCheck } from './check-proof.ts';
import { blockHash } from './encode-block.ts';
import { leafHash } from './merkle.ts';
import { type AuditProof, PROOF_FORMAT, type RecordPlace } from './proof.ts';
import { proveRecord } from './prove-record.ts';
import { recordsIn } from './read-body.ts';

let log: AuditSnapshot;
let places: readonly RecordPlace[];

beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 21, rounds: 25 });
  log = await snapshotOf(await store.readAudit(), policies);
  places = placesIn(log);
});

function placesIn({ blocks }: AuditSnapshot): RecordPlace[] {
  return blocks.flatMap(({ seq, body }) =>
    recordsIn({ body }).map((_, index) => ({ block: seq, index })),
  );
}

function headOf({ anchors }: AuditSnapshot): Anchor {
  return anchors.at(-1) ?? expect.fail('nothing is sealed');
}

async function proofOf(place: RecordPlace, from = log, head?: Anchor): Promise<AuditProof> {
  const answer = await proveRecord(snapshotReader(from), place, { head });
  return answer.proof ?? expect.fail(answer.message);
}

function problemOf(check: ProofCheck): string {
  return check.holds ? 'none' : check.problem;
}

describe('a record of the log', () => {
  test('every one of random histories is provable, as a file, against every head from its own on', async () => {
    for (const seed of [1, 2, 3]) {
      const { store, policies } = await auditedHistory({ seed, rounds: 25, jobsPerRound: 2 });
      const history = await snapshotOf(await store.readAudit(), policies);
      expect(history.anchors.length).toBeGreaterThan(3);
      const random = seededRandom(seed);
      for (const place of placesIn(history)) {
        const proof = await proofOf(place, history);
        const sent: unknown = JSON.parse(JSON.stringify(proof));
        const known = history.anchors.slice(proof.anchor.seq - 1);
        const any = known[Math.floor(random() * known.length)];
        for (const head of [headOf(history), known[0], any]) {
          const check = checkProof(sent, head);
          expect(check).toMatchObject({ holds: true, place, head });
        }
        const alone = { holds: false, problem: 'no_head', place, head: proof.head };
        expect(checkProof(sent)).toMatchObject(alone);
      }
    }
  });

  test('the proof ends where it is asked to', async () => {
    const [first] = places;
    const short = await proofOf(first ?? expect.fail('no record'), log, log.anchors[1]);
    expect(short.chain).toHaveLength(1);
    expect(problemOf(checkProof(short, log.anchors[1]))).toBe('none');
    expect(problemOf(checkProof(short, headOf(log)))).toBe('head_too_new');
  });

  test('a head from before it was sealed says nothing about it', async () => {
    const proof = await proofOf(places.at(-1) ?? expect.fail('no record'));
    expect(problemOf(checkProof(proof, log.anchors[0]))).toBe('head_too_old');
  });

  test('what is not sealed has no proof yet', async () => {
    const { store } = await auditedHistory({ seed: 5, rounds: 3 });
    await store.apply([{ kind: 'note', event: 'act', subject: 'x', detail: '{}' }]);
    const reader = await store.readAudit();
    const [block] = (await store.auditBlocks(0, 1_000)).slice(-1);
    const place = { block: block?.seq ?? 0, index: 0 };
    expect(await proveRecord(reader, place)).toMatchObject({ problem: 'not_sealed' });
    await store.seal();
    expect(await proveRecord(await store.readAudit(), place)).toHaveProperty('proof');
  });

  test('what is not there, or cannot be reached, is said', async () => {
    const reader = snapshotReader(log);
    const first = places[0] ?? expect.fail('no record');
    const last = places.at(-1) ?? expect.fail('no record');
    const head = headOf(log);
    const problems = await Promise.all([
      proveRecord(reader, { block: 1_000_000, index: 0 }),
      proveRecord(reader, { ...first, index: 1_000 }),
      proveRecord(reader, last, { head: log.anchors[0] }),
      proveRecord(reader, first, { head: { seq: head.seq + 1, hash: head.hash } }),
      proveRecord(reader, first, { head: { seq: head.seq, hash: head.root } }),
      proveRecord(reader, first, { maxLinks: 2 }),
      proveRecord(snapshotReader({ ...log, anchors: [] }), first),
    ]);
    expect(problems.map((each) => each.proof ?? each.problem)).toEqual([
      'no_record',
      'no_record',
      'head_too_old',
      'head_unknown',
      'head_unknown',
      'chain_too_long',
      'not_sealed',
    ]);
  });

  test('a log that was changed gives no proof', async () => {
    const place = places[0] ?? expect.fail('no record');
    const blocks = log.blocks.map((block) =>
      block.seq === place.block ? { ...block, body: block.body.replace('"', ' "') } : block,
    );
    const wrong = await proveRecord(snapshotReader({ ...log, blocks }), place);
    expect(wrong).toMatchObject({ problem: 'not_sound' });
    const rehashed = await proveRecord(
      snapshotReader({ ...log, blocks: rechained(blocks) }),
      place,
    );
    expect(rehashed).toMatchObject({ problem: 'not_sound' });
    // Whoever writes everything anew can prove it, to those only who know no head from before.
    const anew = resealed({ ...log, blocks });
    const proof = await proofOf(place, anew);
    expect(problemOf(checkProof(proof))).toBe('no_head');
    expect(problemOf(checkProof(proof, proof.head))).toBe('none');
    expect(problemOf(checkProof(proof, headOf(log)))).toBe('head');
  });
});

/** Every place in a document at which there is a value, with all ways to change it a little. */
function changesOf(value: unknown): ((document: unknown) => void)[] {
  const all: ((document: unknown) => void)[] = [];
  visit(value, []);
  return all;

  function visit(part: unknown, path: readonly (string | number)[]): void {
    const put = (other: unknown): void => {
      all.push((document) => set(document, path, other));
    };
    if (typeof part === 'string') {
      put(`${part} `);
      put(`x${part}`);
      if (part !== '') put('');
      for (let at = 0; at < part.length; at++) {
        const code = part.charCodeAt(at);
        put(part.slice(0, at) + String.fromCharCode(code === 48 ? 49 : 48) + part.slice(at + 1));
        put(part.slice(0, at) + part.slice(at + 1));
      }
    } else if (typeof part === 'number') {
      for (const other of [part + 1, part - 1, part + 0.5, -part - 1, String(part)]) put(other);
    } else if (typeof part === 'boolean' || part === null) {
      put(1);
    } else if (Array.isArray(part)) {
      for (const [at, each] of part.entries()) {
        visit(each, [...path, at]);
        put(part.toSpliced(at, 1));
        put(part.toSpliced(at, 0, each));
        if (at > 0 && JSON.stringify(part[at - 1]) !== JSON.stringify(each)) {
          put(part.with(at - 1, each).with(at, part[at - 1]));
        }
      }
      if (part.length > 0) put([]);
    } else if (typeof part === 'object') {
      for (const [name, each] of Object.entries(part as object)) {
        visit(each, [...path, name]);
        const { [name]: _gone, ...rest } = part as Record<string, unknown>;
        put(rest);
      }
      put({ ...part, more: 1 });
    }
    if (path.length > 0) put(undefined);
  }
}

function set(document: unknown, path: readonly (string | number)[], value: unknown): void {
  let part = document as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) part = part[name] as Record<string | number, unknown>;
  const last = path.at(-1);
  if (last !== undefined) part[last] = value;
  else Object.assign(part, value);
}

describe('a proof that was changed', () => {
  test('at any place, by any character, is refused, also by who has only its own head', async () => {
    const random = seededRandom(9);
    const some = [places[0], places[Math.floor(random() * places.length)], places.at(-1)];
    let tried = 0;
    const believed: string[] = [];
    for (const place of some) {
      // Two anchors are chain enough, and keep the number of changes small.
      const own = (await proofOf(place ?? expect.fail('no record'))).anchor.seq;
      const head = log.anchors[Math.min(own + 1, log.anchors.length - 1)];
      const proof = await proofOf(place ?? expect.fail('no record'), log, head);
      expect(checkProof(proof, head).holds).toBe(true);
      const text = JSON.stringify(proof);
      for (const change of changesOf(proof)) {
        const document: unknown = JSON.parse(text);
        change(document);
        const sent = JSON.stringify(document);
        if (sent === text) continue;
        tried += 1;
        const answers = [checkProof(document, head), checkProof(document)].map(problemOf);
        if (answers.includes('none') || answers.includes('no_head')) believed.push(sent);
      }
    }
    expect(believed).toEqual([]);
    expect(tried).toBeGreaterThan(5_000);
  });

  test('with sides exchanged, steps left out or added, or another place', async () => {
    const place = places.find(({ block }) => {
      const anchor = log.anchors.find(({ to }) => to >= (log.blocks[block - 1]?.position ?? ''));
      return (anchor?.blocks ?? 0) > 4;
    });
    const proof = await proofOf(place ?? expect.fail('no segment is long enough'));
    const { path, leaf, anchor } = proof;
    expect(path.length).toBeGreaterThan(1);
    const other = (side: 'left' | 'right') => (side === 'left' ? 'right' : 'left');
    const wrong: AuditProof[] = [
      ...path.map((step, at) => ({
        ...proof,
        path: path.with(at, { ...step, side: other(step.side) }),
      })),
      { ...proof, path: path.map((step) => ({ ...step, side: other(step.side) })) },
      { ...proof, path: path.slice(1) },
      { ...proof, path: path.slice(0, -1) },
      { ...proof, path: [...path, { side: 'left', hash: anchor.root }] },
      { ...proof, path: [...path, { side: 'right', hash: anchor.root }] },
      ...Array.from({ length: anchor.blocks }, (_, at) => at)
        .filter((at) => at !== leaf)
        .map((at) => ({ ...proof, leaf: at })),
    ];
    for (const each of wrong) expect(problemOf(checkProof(each))).toBe('path');
  });

  test('with the anchor of another segment', async () => {
    const proof = await proofOf(places[0] ?? expect.fail('no record'));
    for (const anchor of log.anchors.slice(1)) {
      const changed = { ...proof, anchor, chain: proof.chain.slice(anchor.seq - 1) };
      expect(problemOf(checkProof(changed, headOf(log)))).toBe('path');
    }
  });

  test('a node of the tree does not pass for a leaf', async () => {
    // The second-preimage trap: the root of one block and its neighbour, shown as if it were a block.
    const proof = await proofOf(places[0] ?? expect.fail('no record'));
    const [step, ...above] = proof.path;
    expect(step).toBeDefined();
    const pair = Buffer.concat([blockLeaf(proof.block), Buffer.from(step?.hash ?? '', 'hex')]);
    expect(Buffer.from(leafHash(pair)).toString('hex')).not.toBe(
      Buffer.from(leafHash(Buffer.concat([Uint8Array.of(1), pair]))).toString('hex'),
    );
    const blocks = Math.ceil(proof.anchor.blocks / 2);
    const shorter = { ...proof.anchor, blocks };
    const changed = {
      ...proof,
      path: above,
      leaf: Math.floor(proof.leaf / 2),
      anchor: { ...shorter, hash: anchorHash(shorter) },
    };
    expect(problemOf(checkProof(changed))).toBe('path');
  });

  test('texts that are not well formed cannot stand in for each other', async () => {
    const { store } = await auditedHistory({ seed: 5, rounds: 1 });
    await store.apply([{ kind: 'note', event: 'act', subject: 'x', detail: '{"why":"\uFFFD"}' }]);
    await store.seal();
    const [block] = (await store.auditBlocks(0, 1_000)).slice(-1);
    const answer = await proveRecord(await store.readAudit(), { block: block?.seq ?? 0, index: 0 });
    const text = JSON.stringify(answer.proof);
    // The two have one hash.
    expect(blockHash('', '\uFFFD')).toBe(blockHash('', '\uD800'));
    const changed: unknown = JSON.parse(text.replaceAll('\uFFFD', '\\ud800'));
    expect(problemOf(checkProof(JSON.parse(text)))).toBe('no_head');
    expect(problemOf(checkProof(changed))).toBe('format');
  });
});

test('whatever it is given, it answers', () => {
  fc.assert(
    fc.property(fc.anything(), (document) => {
      expect(checkProof(document).holds).toBe(false);
    }),
  );
  for (const document of [null, [], '', { format: 'redrive/proof/2' }, { format: {} }]) {
    expect(problemOf(checkProof(document))).toBe('format');
  }
});

describe('a proof of a log that somebody made up', () => {
  /** Every hash in it is right. */
  function madeUp(text: string, { blockAtMs = 0, anchorAtMs = 0 } = {}): AuditProof {
    const body = `[${text}]`;
    const hash = blockHash('', body);
    const place = { seq: 1, position: positionOf(1), writer: 'w', atMs: blockAtMs };
    const block = { ...place, prevHash: '', hash, body };
    const anchor = sealBlocks(undefined, [block], anchorAtMs) ?? expect.fail('not sealed');
    const head = { seq: anchor.seq, hash: anchor.hash };
    const rest = { block, leaf: 0, path: [], anchor, chain: [], head };
    return { format: PROOF_FORMAT, record: recordIn(text), index: 0, ...rest };
  }

  function recordIn(text: string): AuditRecord {
    const [record] = recordsIn({ body: `[${text}]` });
    return record as AuditRecord; // Of a time that no date can say there is none: that is a wrong proof, too.
  }

  function note(atMs: number, levels = 1): string {
    const detail = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    return `["x",0,"act",null,null,${atMs},0,0,0,0,${detail}]`;
  }

  test('holds for its own head alone', () => {
    const proof = madeUp(note(0, 100));
    expect(problemOf(checkProof(proof))).toBe('no_head');
    expect(problemOf(checkProof(proof, proof.head))).toBe('none');
    expect(problemOf(checkProof(proof, headOf(log)))).toBe('head_too_new');
  });

  test.each([200, 2_000, 100_000])(
    '%d lists in each other are refused, not thrown at',
    (levels) => {
      const proof = madeUp(note(0, levels));
      expect(problemOf(checkProof(proof))).toBe('format');
      const other = { ...proof, record: recordIn(note(0)) };
      expect(problemOf(checkProof(other))).toBe('record');
    },
  );

  test('a time that no date can say is refused, wherever it stands', () => {
    const latest = 8_640_000_000_000_000;
    const times = { blockAtMs: latest, anchorAtMs: latest };
    expect(problemOf(checkProof(madeUp(note(-latest), times)))).toBe('no_head');
    const over = latest + 1;
    const { anchor, ...proof } = madeUp(note(0));
    const chain = [[2, '', '', 0, anchor.root, over]];
    for (const atMs of [over, -over]) {
      const record = { ...recordIn(note(0)), atMs };
      expect(problemOf(checkProof({ ...madeUp(note(atMs)), record }))).toBe('record');
    }
    for (const wrong of [
      madeUp(note(0), { blockAtMs: over }),
      madeUp(note(0), { anchorAtMs: over }),
      { ...proof, anchor, chain },
    ]) {
      expect(problemOf(checkProof(wrong))).toBe('format');
    }
  });
});
