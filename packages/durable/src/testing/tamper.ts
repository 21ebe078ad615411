import { type Anchor, type PlacedBlock, sealBlocks } from '../audit/anchor.ts';
import type { AuditRecord } from '../audit/audit-block.ts';
import type { AuditProblemKind } from '../audit/audit-problem.ts';
import type { AuditReader, JobLookup } from '../audit/audit-reader.ts';
import { blockHash } from '../audit/encode-block.ts';
import { type VerifyOptions, verifyAudit } from '../audit/verify.ts';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';

const ALL = 1_000_000;

/** Everything that a reader has, to be changed by hand. */
export async function snapshotOf(
  reader: AuditReader,
  policies: AuditSnapshot['policies'],
): Promise<AuditSnapshot> {
  return {
    anchors: await reader.anchors(undefined, ALL),
    blocks: await reader.blocks('', ALL),
    lookups: await reader.lookups('', ALL),
    policies,
  };
}

/** As a database would give them back after somebody has written to its tables. */
export function sorted(snapshot: AuditSnapshot): AuditSnapshot {
  const byPosition = (a: PlacedBlock, b: PlacedBlock) => (a.position < b.position ? -1 : 1);
  const bySeq = (a: Anchor, b: Anchor) => a.seq - b.seq;
  const byId = (a: JobLookup, b: JobLookup) => (a.id < b.id ? -1 : 1);
  return {
    ...snapshot,
    anchors: snapshot.anchors.toSorted(bySeq),
    blocks: snapshot.blocks.toSorted(byPosition),
    lookups: snapshot.lookups.toSorted(byId),
  };
}

/** An attack by somebody who can compute hashes: every block's hash and the chain are right again. */
export function rechained(blocks: readonly PlacedBlock[]): PlacedBlock[] {
  let prevHash = '';
  return blocks.map((block) => {
    const hash = blockHash(prevHash, block.body);
    const chained = { ...block, prevHash, hash };
    prevHash = hash;
    return chained;
  });
}

/** And every anchor, with segments of the same length as before. */
export function resealed(snapshot: AuditSnapshot): AuditSnapshot {
  const blocks = rechained(snapshot.blocks);
  let sealed = 0;
  let previous: Anchor | undefined;
  const anchors = snapshot.anchors.flatMap(({ blocks: count, atMs }) => {
    const anchor = sealBlocks(previous, blocks.slice(sealed, sealed + count), atMs);
    sealed += count;
    previous = anchor ?? previous;
    return anchor ?? [];
  });
  return { ...snapshot, blocks, anchors };
}

/** The kinds of problems in a log, each once, in the order of the alphabet. */
export async function kindsIn(
  log: AuditSnapshot,
  options?: VerifyOptions,
): Promise<AuditProblemKind[]> {
  const { problems } = await verifyAudit(snapshotReader(sorted(log)), options);
  return [...new Set(problems.map(({ kind }) => kind))].sort();
}

/** A body of these records, each for itself. */
export function bodyOf(records: readonly AuditRecord[]): string {
  const fields = records.map(({ id, revision, event, from, to, atMs, ...rest }) => {
    const { token, generation, executions, previousBlock, detail } = rest;
    return [
      id,
      revision,
      event,
      from,
      to,
      atMs,
      token,
      generation,
      executions,
      previousBlock,
      detail,
    ];
  });
  return JSON.stringify(fields);
}
