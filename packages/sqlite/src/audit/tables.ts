/**
 * The seals over the blocks. Positions are texts as the anchor has them, so that what is hashed is what is stored. The
 * sealer needs no lease: it works under the write lock.
 */
export const AUDIT_ANCHORS = `
  CREATE TABLE audit_anchors (
    seq INTEGER PRIMARY KEY,
    from_position TEXT NOT NULL,
    to_position TEXT NOT NULL,
    blocks INTEGER NOT NULL,
    root TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
`;
