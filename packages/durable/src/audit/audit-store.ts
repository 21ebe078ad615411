import type { Anchor } from './anchor.ts';
import type { AuditReader } from './audit-reader.ts';

/** What a store does for its audit log besides writing it. */
export interface AuditStore {
  /**
   * Puts an anchor over committed blocks that have none, in the order of their positions, at most
   * `MAX_SEGMENT_BLOCKS`; call again until it answers `undefined`: there is nothing to seal, or somebody else does it
   * (one sealer at a time, by a lease that lives outside the audit tables).
   */
  seal(): Promise<Anchor | undefined>;
  /** Looks at the log as it is now. The caller closes it. */
  readAudit(): Promise<AuditReader>;
}
