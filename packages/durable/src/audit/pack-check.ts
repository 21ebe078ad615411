import type { AuditProblems } from './audit-problem.ts';
import type { AuditReader } from './audit-reader.ts';
import { type AuditPack, packHash, unpackBlocks } from './pack.ts';

/** A pack may be some hundred kilobytes. */
const PAGE = 10;

/**
 * Checks every column of the packs: each must match the blocks inside, and the packs must follow each other. The
 * content of the blocks is checked with all other blocks.
 */
export async function checkPacks(
  reader: Pick<AuditReader, 'packs'>,
  problems: AuditProblems,
  signal?: AbortSignal | undefined,
): Promise<void> {
  let last: Pick<AuditPack, 'seq' | 'to'> = { seq: 0, to: '' };
  for (let after: number | undefined; ; ) {
    signal?.throwIfAborted();
    const page = await reader.packs(after, PAGE);
    const end = page.at(-1);
    if (end === undefined || (after !== undefined && end.seq <= after)) return;
    for (const pack of page) {
      checkPack(pack, last, problems);
      last = pack;
    }
    after = end.seq;
  }
}

function checkPack(
  pack: AuditPack,
  last: Pick<AuditPack, 'seq' | 'to'>,
  problems: AuditProblems,
): void {
  const where = { pack: pack.seq };
  problems.compare('pack', where, last.seq + 1, pack.seq);
  problems.compare('pack', where, packHash(pack), pack.hash);
  if (pack.from <= last.to) problems.add('pack', where, `a position above ${last.to}`, pack.from);
  const blocks = unpackBlocks(pack);
  if (blocks === undefined) {
    problems.add('pack', where, 'blocks', 'what cannot be read');
    return;
  }
  const fallen = blocks.find(
    (block, at) => at > 0 && block.position <= (blocks[at - 1]?.position ?? ''),
  );
  if (fallen !== undefined) {
    problems.add('pack', { ...where, block: fallen.seq }, 'rising positions', fallen.position);
  }
  const inside = {
    from: blocks[0]?.position,
    to: blocks.at(-1)?.position,
    // One by one: somebody may have put more into it than a call takes arguments.
    minSeq: blocks.reduce((least, { seq }) => Math.min(least, seq), Infinity),
    maxSeq: blocks.reduce((most, { seq }) => Math.max(most, seq), -Infinity),
    blocks: blocks.length,
  };
  const { from, to, minSeq, maxSeq, blocks: count } = pack;
  const said = { from, to, minSeq, maxSeq, blocks: count };
  problems.compare('pack', where, JSON.stringify(inside), JSON.stringify(said));
}
