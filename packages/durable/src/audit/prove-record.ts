import { type Anchor, type AuditHead, blockLeaf, type PlacedBlock } from './anchor.ts';
import type { AuditReader } from './audit-reader.ts';
import { checkProof } from './check-proof.ts';
import { inclusionProof, siblingSides } from './merkle.ts';
import {
  type AuditProof,
  type ChainLink,
  MAX_PROOF_LINKS,
  PROOF_FORMAT,
  type RecordPlace,
} from './proof.ts';
import { recordAt } from './read-body.ts';

export interface ProveOptions {
  /** The head that the proof is to reach: an anchor of the log. Default: the newest. */
  readonly head?: AuditHead | undefined;
  /** Anchors between the record's own one and the head, at most. Default, and most, 100,000. */
  readonly maxLinks?: number | undefined;
}

/** The reason why a record has no proof. */
export type NoProof =
  /** The log has no such record. */
  | 'no_record'
  /** No anchor is over it yet: a running worker seals about once a second. */
  | 'not_sealed'
  /** The head that was asked for is from before the record was sealed. */
  | 'head_too_old'
  /** The log does not have the head that was asked for. */
  | 'head_unknown'
  /** More anchors than allowed stand between the two. */
  | 'chain_too_long'
  /** The log is inconsistent: run `audit verify`. */
  | 'not_sound';

export type ProveAnswer =
  | { readonly proof: AuditProof }
  | { readonly proof?: never; readonly problem: NoProof; readonly message: string };

type Reader = Pick<AuditReader, 'anchors' | 'head' | 'block' | 'blocks'>;

// A block may hold a thousand records, an anchor is small.
const BLOCK_PAGE = 100;
const ANCHOR_PAGE = 1_000;

/**
 * Proves that a record is in the log; `checkProof` checks the proof without a store. The log is checked first, so that
 * every proof holds. Reads the segment of the record, and the anchors up to the head.
 *
 * @throws RedriveError `store_unavailable` where the store cannot be read.
 */
export async function proveRecord(
  reader: Reader,
  place: RecordPlace,
  { head, maxLinks = MAX_PROOF_LINKS }: ProveOptions = {},
): Promise<ProveAnswer> {
  const block = await reader.block(place.block);
  const record = block && recordAt(block.body, place.index);
  if (block === undefined || record === undefined) {
    return no('no_record', `The log has no record ${place.block}.${place.index}.`);
  }
  const newest = await reader.head();
  if (newest === undefined || block.position > newest.to) {
    return no('not_sealed', `Block ${block.seq} is not sealed yet.`);
  }
  const { anchor, before } = await anchorOver(reader, block, newest);
  const end = head === undefined ? newest : await anchorAt(reader, head.seq);
  if (anchor === undefined) return no('not_sound', `No anchor is over block ${block.seq}.`);
  if (end === undefined || (head !== undefined && end.hash !== head.hash)) {
    return no('head_unknown', `The log has no anchor ${head?.seq} with that hash.`);
  }
  const links = end.seq - anchor.seq;
  if (links < 0) {
    return no(
      'head_too_old',
      `The record was sealed by anchor ${anchor.seq}, after anchor ${end.seq}.`,
    );
  }
  if (links > Math.min(maxLinks, MAX_PROOF_LINKS)) {
    return no('chain_too_long', `${links} anchors stand between it and anchor ${end.seq}.`);
  }
  const { leaf, leaves } = await leavesUnder(reader, anchor, before?.to ?? '', block);
  const sides = siblingSides(leaf, anchor.blocks);
  const proof: AuditProof = {
    format: PROOF_FORMAT,
    record,
    index: place.index,
    block,
    leaf,
    path: inclusionProof(leaves, leaf).map((hash, step) => ({ side: sides[step] ?? 'left', hash })),
    anchor,
    chain: await chainTo(reader, anchor, end),
    head: { seq: end.seq, hash: end.hash },
  };
  const check = checkProof(proof, proof.head);
  return check.holds ? { proof } : no('not_sound', check.message);
}

function no(problem: NoProof, message: string): ProveAnswer {
  return { problem, message };
}

async function anchorAt(reader: Reader, seq: number): Promise<Anchor | undefined> {
  const [anchor] = await reader.anchors(seq - 1, 1);
  return anchor?.seq === seq ? anchor : undefined;
}

/** The first anchor that ends at or behind the block, and the one before it. Their numbers have no gap, so halving finds it. */
async function anchorOver(reader: Reader, { position }: PlacedBlock, newest: Anchor) {
  let low = 0;
  let before: Anchor | undefined;
  let anchor: Anchor | undefined = newest;
  let high = newest.seq;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const found = await anchorAt(reader, middle);
    if (found !== undefined && found.to < position) [low, before] = [middle, found];
    else [high, anchor] = [middle, found];
  }
  return { anchor, before };
}

/** The leaves of all blocks under an anchor, and which of them is this block's. */
async function leavesUnder(reader: Reader, anchor: Anchor, from: string, block: PlacedBlock) {
  const leaves: Uint8Array[] = [];
  let leaf = 0;
  let after = from;
  // More than it says are not asked for: then something is wrong, and the proof will not hold.
  while (leaves.length <= anchor.blocks) {
    const page = await reader.blocks(after, BLOCK_PAGE);
    const under = page.filter(({ position }) => position > after && position <= anchor.to);
    for (const each of under) {
      if (each.seq === block.seq) leaf = leaves.length;
      leaves.push(blockLeaf(each));
    }
    const last = page.at(-1);
    if (last === undefined || under.length < page.length) break;
    after = last.position;
  }
  return { leaf, leaves };
}

async function chainTo(reader: Reader, { seq: first }: Anchor, end: Anchor): Promise<ChainLink[]> {
  const chain: ChainLink[] = [];
  for (let after = first; after < end.seq; ) {
    const page = await reader.anchors(after, Math.min(ANCHOR_PAGE, end.seq - after));
    const last = page.at(-1);
    if (last === undefined || last.seq <= after) break;
    chain.push(...page.map(linkOf));
    after = last.seq;
  }
  return chain;
}

function linkOf({ seq, from, to, blocks, root, atMs }: Anchor): ChainLink {
  return [seq, from, to, blocks, root, atMs];
}
