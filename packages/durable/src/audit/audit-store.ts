import type { Anchor } from './anchor.ts';
import type { AuditReader } from './audit-reader.ts';
import type { RemovedLetters } from './removed-letters.ts';

/** A new anchor. */
export interface Sealed extends Anchor {
  /** Dead letters that left with the sealed records. Absent: none. Every record is sealed once, so that none counts twice. */
  readonly removed?: RemovedLetters | undefined;
}

export interface CompressOptions {
  /** Only blocks that were sealed at least this time ago. */
  readonly sealedForMs: number;
  /** Fewer stay as they are, unless they are large: small packs save little. Default 1,000: full packs only. */
  readonly minBlocks?: number | undefined;
}

/** One step of compressing. */
export interface Compressed {
  readonly blocks: number;
  /** The bytes of their columns, without the overhead of the database. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Reading, sealing and compressing the audit log of a store. */
export interface AuditStore {
  /**
   * Seals committed blocks without an anchor, in the order of their positions, at most `MAX_SEGMENT_BLOCKS`. Call it until
   * it answers `undefined`: there is nothing to seal, or another process seals (one sealer at a time, by a lease outside
   * the audit tables).
   */
  seal(): Promise<Sealed | undefined>;
  /**
   * Compresses the oldest blocks that were sealed at least `sealedForMs` ago and are not compressed yet: one pack of
   * them, in one transaction. Call again until it answers `undefined`: there is nothing to compress, or another process
   * does it. The newest blocks stay as they are, however old they are.
   *
   * @throws RedriveError `invalid_record` where a block was changed: nothing from there on is compressed, so that
   *   verification goes on to find it.
   */
  compress(options: CompressOptions): Promise<Compressed | undefined>;
  /** Looks at the log as it is now. The caller closes it. */
  readAudit(): Promise<AuditReader>;
}
