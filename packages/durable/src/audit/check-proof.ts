import { isDeepStrictEqual } from 'node:util';
import { type AuditHead, anchorHash, blockLeaf } from './anchor.ts';
import type { AuditRecord } from './audit-block.ts';
import { blockHash } from './encode-block.ts';
import { isIncluded, siblingSides } from './merkle.ts';
import type { AuditProof, RecordPlace } from './proof.ts';
import { recordAt } from './read-body.ts';
import { readProof } from './read-proof.ts';

/** Why a proof does not hold. `docs/reference/audit.md` says what each one means. */
export type ProofProblem =
  /** The document is not a proof of a known version. */
  | 'format'
  /** The record is not the one at its place in the block. */
  | 'record'
  /** The block's hash does not match its content. */
  | 'block_hash'
  /** The path does not lead from the block to the anchor's root. */
  | 'path'
  /** The anchor's hash does not match its content. */
  | 'anchor_hash'
  /** The chain does not lead from the anchor to the head. */
  | 'chain'
  /** The proof is consistent, but no head was given to compare it with: an invented proof is consistent, too. */
  | 'no_head'
  /** The log of the head that you know has another anchor at this place. */
  | 'head'
  /** The head that you know is from before the record was sealed: it says nothing about it. */
  | 'head_too_old'
  /** The head that you know is newer than the proof reaches. */
  | 'head_too_new';

/** The content of a proof. */
export interface ProofContent {
  readonly record: AuditRecord;
  readonly place: RecordPlace;
  /** The anchor over the record, and when it was put there. */
  readonly anchor: AuditHead & { readonly atMs: number };
  /** The head that the proof holds against: the given one, else its own. */
  readonly head: AuditHead;
}

export type ProofCheck =
  | ({ readonly holds: true } & ProofContent)
  | ({
      readonly holds: false;
      readonly problem: 'no_head';
      readonly message: string;
    } & ProofContent)
  | {
      readonly holds: false;
      readonly problem: Exclude<ProofProblem, 'no_head'>;
      readonly message: string;
    };

/**
 * Checks a proof without a store: it recomputes every hash from the record to the head. `known` is a head of the log that
 * you saved earlier in a place where the author of the proof cannot write. It may be any anchor from the record's own to
 * the last of the proof. Without `known` no proof holds: the answer `no_head` means that the proof is consistent, and
 * names the head for which it would hold. Never throws, for any content of a file.
 */
export function checkProof(document: unknown, known?: AuditHead): ProofCheck {
  const proof = readProof(document);
  if (typeof proof === 'string') return { holds: false, problem: 'format', message: proof };
  const broken = brokenSegment(proof) ?? brokenChain(proof, known);
  if (broken !== undefined) return { holds: false, ...broken };
  const { record, index, block, anchor, head } = proof;
  const content = {
    record,
    place: { block: block.seq, index },
    anchor: { seq: anchor.seq, hash: anchor.hash, atMs: anchor.atMs },
    head: known ?? head,
  };
  if (known !== undefined) return { holds: true, ...content };
  const message = `The proof is consistent. It holds if anchor ${head.seq} with its hash is a head of the log: compare it with a head that you saved elsewhere.`;
  return { holds: false, problem: 'no_head', message, ...content };
}

interface Broken {
  readonly problem: Exclude<ProofProblem, 'no_head'>;
  readonly message: string;
}

/** The problems between the record and its anchor. */
function brokenSegment({
  record,
  index,
  block,
  leaf,
  path,
  anchor,
}: AuditProof): Broken | undefined {
  if (!isDeepStrictEqual(recordAt(block.body, index), record)) {
    return { problem: 'record', message: `Its block has another record at place ${index}.` };
  }
  if (blockHash(block.prevHash, block.body) !== block.hash) {
    return { problem: 'block_hash', message: `The hash of block ${block.seq} is another one.` };
  }
  const sides = siblingSides(leaf, anchor.blocks);
  const hashes = path.map(({ hash }) => hash);
  if (
    path.some(({ side }, step) => side !== sides[step]) ||
    !isIncluded(blockLeaf(block), leaf, anchor.blocks, hashes, anchor.root)
  ) {
    const message = `Its path does not lead from block ${block.seq} to the root of anchor ${anchor.seq}.`;
    return { problem: 'path', message };
  }
  if (anchorHash(anchor) !== anchor.hash) {
    return { problem: 'anchor_hash', message: `The hash of anchor ${anchor.seq} is another one.` };
  }
  return undefined;
}

/** The problems between the anchor and the head, or the known head. */
function brokenChain(
  { anchor, chain, head }: AuditProof,
  known: AuditHead | undefined,
): Broken | undefined {
  let last: AuditHead = anchor;
  let found = last.seq === known?.seq ? last.hash : undefined;
  for (const [seq, from, to, blocks, root, atMs] of chain) {
    if (seq !== last.seq + 1) {
      return {
        problem: 'chain',
        message: `In its chain anchor ${seq} follows anchor ${last.seq}.`,
      };
    }
    last = { seq, hash: anchorHash({ seq, from, to, blocks, root, prevHash: last.hash, atMs }) };
    if (seq === known?.seq) found = last.hash;
  }
  if (last.seq !== head.seq || last.hash !== head.hash) {
    const message = `Its chain leads to another anchor ${last.seq} than its head, anchor ${head.seq}.`;
    return { problem: 'chain', message };
  }
  if (known === undefined || found === known.hash) return undefined;
  return otherHead(anchor.seq, head.seq, known.seq);
}

function otherHead(first: number, last: number, known: number): Broken {
  if (known < first) {
    const message = `The record was sealed by anchor ${first}, but your head is the older anchor ${known}, which does not cover the record. Use a newer head.`;
    return { problem: 'head_too_old', message };
  }
  if (known > last) {
    const message = `The proof ends with anchor ${last}, but your head is anchor ${known}: ask for a proof up to anchor ${known}.`;
    return { problem: 'head_too_new', message };
  }
  const message = `Anchor ${known} of the proof differs from your head: the proof is from another log, or the log was rewritten.`;
  return { problem: 'head', message };
}
