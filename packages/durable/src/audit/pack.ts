import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { RedriveError } from '@redrive/core';
import type { PlacedBlock } from './anchor.ts';
import type { Compressed } from './audit-store.ts';
import { blockHash } from './encode-block.ts';

/**
 * Old sealed blocks, compressed. A pack replaces its blocks in the log: they are consecutive, and each block is either a
 * row or in one pack. The blocks themselves do not change, so no hash under an anchor changes. The pack's own hash is
 * over every other column.
 */
export interface AuditPack {
  /** From 1, without a gap. */
  readonly seq: number;
  /** Position of its first block. */
  readonly from: string;
  /** Position of its last block. */
  readonly to: string;
  /** The least sequence number of its blocks. On Postgres the order of positions is another one. */
  readonly minSeq: number;
  /** The greatest one. */
  readonly maxSeq: number;
  readonly blocks: number;
  readonly data: Uint8Array;
  readonly hash: string;
}

/** Most blocks of a pack, and bytes of their bodies unless one block alone has more: a reader unpacks a whole pack for one block. */
export const MAX_PACK_BLOCKS = 1_000;
export const MAX_PACK_BYTES = 1_000_000;

/** The largest size of a pack. A block of a thousand records of the largest size is smaller. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/**
 * A block in a pack. Its hash follows from the rest; so does `prevHash` where it is `0`: the hash of the block of the same
 * writer before it, in this pack. Hashes cannot be compressed, so they are left out where they follow.
 */
type PackedBlock = readonly [
  seq: number,
  writer: string,
  atMs: number,
  position: string,
  prevHash: string | 0,
  body: string,
];

const DEFLATE = { level: 9 };
const deflate = promisify(deflateRaw);

/**
 * Packs blocks, as many from the first on as belong into one pack. `undefined` where there are none. It keeps its thread
 * busy for some 100 ms: for one that nobody waits for.
 *
 * @throws RedriveError `invalid_record` where a block's hash does not match its content: unpacked, it would be right
 *   again, and nobody would see that it was changed.
 */
export function packBlocks(seq: number, blocks: readonly PlacedBlock[]): AuditPack | undefined {
  const begun = beginPack(seq, blocks);
  return begun && endPack(begun, deflateRawSync(begun.text, DEFLATE));
}

/** The same, compressed beside the thread that others wait for. */
export async function packBlocksAside(
  seq: number,
  blocks: readonly PlacedBlock[],
): Promise<AuditPack | undefined> {
  const begun = beginPack(seq, blocks);
  return begun && endPack(begun, await deflate(begun.text, DEFLATE));
}

interface BegunPack {
  readonly pack: Omit<AuditPack, 'data' | 'hash'>;
  /** The text to compress. */
  readonly text: string;
}

function beginPack(seq: number, blocks: readonly PlacedBlock[]): BegunPack | undefined {
  const own = blocks.slice(0, countOf(blocks));
  const first = own[0];
  const last = own.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const links = new Map<string, string>();
  const packed = own.map(({ seq, writer, atMs, position, prevHash, hash, body }): PackedBlock => {
    if (blockHash(prevHash, body) !== hash) throw damaged(seq);
    const follows = prevHash !== '' && links.get(writer) === prevHash;
    links.set(writer, hash);
    return [seq, writer, atMs, position, follows ? 0 : prevHash, body];
  });
  const numbers = own.map(({ seq }) => seq);
  const pack = {
    seq,
    from: first.position,
    to: last.position,
    minSeq: Math.min(...numbers),
    maxSeq: Math.max(...numbers),
    blocks: own.length,
  };
  return { pack, text: JSON.stringify(packed) };
}

function endPack({ pack }: BegunPack, data: Uint8Array): AuditPack {
  const whole = { ...pack, data };
  return { ...whole, hash: packHash(whole) };
}

/** The result of one step of compressing. */
export function compressedInto(pack: AuditPack, blocks: readonly PlacedBlock[]): Compressed {
  const own = blocks.slice(0, pack.blocks);
  const bytesOf = (...texts: string[]) =>
    texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    blocks: pack.blocks,
    bytesBefore: own.reduce(
      (sum, { writer, prevHash, hash, body, position }) =>
        sum + bytesOf(writer, prevHash, hash, body, position) + 2 * NUMBER_BYTES,
      0,
    ),
    bytesAfter: pack.data.length + bytesOf(pack.from, pack.to, pack.hash) + 4 * NUMBER_BYTES,
  };
}

const NUMBER_BYTES = 8;

function damaged(block: number): RedriveError {
  return new RedriveError(
    'invalid_record',
    `The audit log is damaged: the hash of block ${block} does not match its content, so no block from there on is compressed. Run "redrive audit verify"`,
    { block },
  );
}

/** Whether these blocks, which follow each other, make a pack: enough of them, or as much as one may hold. */
export function fillsPack(blocks: readonly PlacedBlock[], minBlocks: number): boolean {
  return blocks.length >= minBlocks || countOf(blocks) < blocks.length;
}

/** How many blocks from the first on belong into one pack. */
function countOf(blocks: readonly PlacedBlock[]): number {
  let bytes = 0;
  const over = blocks.findIndex(({ body }, index) => {
    bytes += Buffer.byteLength(body);
    return index > 0 && (bytes > MAX_PACK_BYTES || index >= MAX_PACK_BLOCKS);
  });
  return over === -1 ? blocks.length : over;
}

/** Hash of a pack, over every other column of it. */
export function packHash({
  seq,
  from,
  to,
  minSeq,
  maxSeq,
  blocks,
  data,
}: Omit<AuditPack, 'hash'>): string {
  const content = createHash('sha256').update(data).digest('hex');
  const text = JSON.stringify(['redrive/pack/1', seq, from, to, minSeq, maxSeq, blocks, content]);
  return createHash('sha256').update(text).digest('hex');
}

/** The blocks of a pack, in the order of positions. `undefined` where it cannot be read: somebody has changed it. */
export function unpackBlocks({
  data,
}: Pick<AuditPack, 'data'>): readonly PlacedBlock[] | undefined {
  let packed: unknown;
  try {
    const text = inflateRawSync(data, { maxOutputLength: MAX_UNPACKED_BYTES });
    packed = JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(packed) || !packed.every(isPacked)) return undefined;
  const links = new Map<string, string>();
  return packed.map(([seq, writer, atMs, position, link, body]) => {
    const prevHash = link === 0 ? (links.get(writer) ?? '') : link;
    const hash = blockHash(prevHash, body);
    links.set(writer, hash);
    return { seq, writer, atMs, prevHash, hash, body, position };
  });
}

function isPacked(value: unknown): value is PackedBlock {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [seq, writer, atMs, position, prevHash, body] = value;
  return (
    Number.isSafeInteger(seq) &&
    Number.isSafeInteger(atMs) &&
    typeof writer === 'string' &&
    // Stores take positions apart.
    typeof position === 'string' &&
    /^\d{16}$|^\d{4}\.\d{20}\.\d{16}$/.test(position) &&
    (prevHash === 0 || typeof prevHash === 'string') &&
    typeof body === 'string'
  );
}

/** Packs that are kept unpacked: some megabytes. A reader of a log, page by page, needs the same pack several times. */
const MAX_KEPT = 4;

/** Unpacks, and remembers the last ones. A pack that cannot be read has no blocks here; verification reports it. */
export class PackCache {
  readonly #kept = new Map<string, readonly PlacedBlock[]>();

  blocksOf(pack: AuditPack): readonly PlacedBlock[] {
    // Not by its number alone: a reader may outlive a file that was put in the place of another.
    const key = `${pack.seq} ${pack.hash} ${pack.data.length}`;
    const kept = this.#kept.get(key) ?? unpackBlocks(pack) ?? [];
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}
