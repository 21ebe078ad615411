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

/** Old blocks, compressed: they are in no row of `audit_blocks` any more. */
export const AUDIT_PACKS = `
  CREATE TABLE audit_packs (
    seq INTEGER PRIMARY KEY,
    from_position TEXT NOT NULL,
    to_position TEXT NOT NULL,
    min_seq INTEGER NOT NULL,
    max_seq INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    data BLOB NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_packs_to ON audit_packs (to_position);
  CREATE INDEX audit_anchors_at ON audit_anchors (at);
`;
