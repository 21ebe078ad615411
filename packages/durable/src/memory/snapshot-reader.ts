import type { Anchor, PlacedBlock } from '../audit/anchor.ts';
import type { AuditReader, JobLookup } from '../audit/audit-reader.ts';
import type { AuditPack } from '../audit/pack.ts';
import type { StoredPolicy } from '../store/store.ts';
import { compareText } from './compare-text.ts';
import { countWhile } from './sorted-list.ts';

/** An audit log in full. */
export interface AuditSnapshot {
  readonly anchors: readonly Anchor[];
  /** Memory has none. */
  readonly packs?: readonly AuditPack[];
  /** By position. */
  readonly blocks: readonly PlacedBlock[];
  /** By id. */
  readonly lookups: readonly JobLookup[];
  readonly policies: ReadonlyMap<string, StoredPolicy>;
}

/** Reads from lists that nobody changes any more. */
export function snapshotReader(snapshot: AuditSnapshot): AuditReader {
  const { anchors, packs = [], blocks, lookups, policies } = snapshot;
  return {
    anchors: async (after = -Infinity, limit) => page(anchors, ({ seq }) => seq > after, limit),
    head: async () => anchors.at(-1),
    packs: async (after = -Infinity, limit) => page(packs, ({ seq }) => seq > after, limit),
    blocks: async (after, limit) => page(blocks, ({ position }) => position > after, limit),
    block: async (wanted) => blocks.find(({ seq }) => seq === wanted),
    lookups: async (after, limit) => page(lookups, ({ id }) => compareText(id, after) > 0, limit),
    policy: async (hash) => policies.get(hash),
    close: async () => {},
  };
}

/** The first entries behind a place, in an ordered list. */
function page<T>(list: readonly T[], isBehind: (entry: T) => boolean, limit: number): readonly T[] {
  const from = countWhile(list, (entry) => !isBehind(entry));
  return list.slice(from, from + limit);
}
