import type { Anchor } from './anchor.ts';
import type { AuditReader } from './audit-reader.ts';

export interface CompressOptions {
  /** Blocks that an anchor was put over at least so long ago. */
  readonly sealedForMs: number;
  /** Fewer stay as they are, unless they are large: small packs save little. Default 1,000: full packs only. */
  readonly minBlocks?: number | undefined;
}

/** One step of compressing. */
export interface Compressed {
  readonly blocks: number;
  /** What their columns took, without what a database adds. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** What a store does for its audit log besides writing it. */
export interface AuditStore {
  /**
   * Puts an anchor over committed blocks that have none, in the order of their positions, at most
   * `MAX_SEGMENT_BLOCKS`; call again until it answers `undefined`: there is nothing to seal, or somebody else does it
   * (one sealer at a time, by a lease that lives outside the audit tables).
   */
  seal(): Promise<Anchor | undefined>;
  /**
   * Compresses the oldest blocks that were sealed at least so long ago and are not compressed yet: one pack of them, in
   * one transaction. Call again until it answers `undefined`: there is nothing to compress, or somebody else does it. The
   * newest blocks stay as they are, however old they are.
   *
   * @throws RedriveError `invalid_record` where a block was changed: nothing from there on is compressed, so that
   *   verification goes on to find it.
   */
  compress(options: CompressOptions): Promise<Compressed | undefined>;
  /** Looks at the log as it is now. The caller closes it. */
  readAudit(): Promise<AuditReader>;
}
