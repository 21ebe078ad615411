import { equal, ok } from 'node:assert/strict';
import type { Store } from '@redrive/durable';
import { type AuditBlock, type AuditRecord, blockHash, recordsIn } from '@redrive/durable/store';

/** A record with the number of its block. */
export interface TrailRecord extends AuditRecord {
  readonly block: number;
}

/** All blocks, page by page, each one checked: numbers rise, hashes fit, chains have no fork. */
export async function auditBlocks(store: Store, pageSize = 500): Promise<AuditBlock[]> {
  const blocks: AuditBlock[] = [];
  const heads = new Set<string>();
  for (;;) {
    const lastSeq = blocks.at(-1)?.seq ?? 0;
    const page = await store.auditBlocks(lastSeq, pageSize);
    for (const block of page) {
      ok(block.seq > (blocks.at(-1)?.seq ?? 0), `numbers rise: ${block.seq}`);
      equal(block.hash, blockHash(block.prevHash, block.body), `hash of block ${block.seq}`);
      const link = `${block.writer} ${block.prevHash}`;
      if (block.prevHash !== '') ok(heads.delete(link), `block ${block.seq} follows one, alone`);
      heads.add(`${block.writer} ${block.hash}`);
      blocks.push(block);
    }
    if (page.length < pageSize) return blocks;
  }
}

/** All records, in the order of their blocks. */
export async function auditRecords(store: Store): Promise<TrailRecord[]> {
  const records: TrailRecord[] = [];
  for (const { seq, body } of await auditBlocks(store)) {
    const read = recordsIn({ body });
    ok(read.length > 0, `block ${seq} says something`);
    for (const record of read) records.push({ ...record, block: seq });
  }
  return records;
}

/** The records of every job, each in the order of its revisions. An id that was pruned and used again begins anew. */
export async function trailsOf(store: Store): Promise<Map<string, TrailRecord[]>> {
  const trails = new Map<string, TrailRecord[]>();
  for (const record of await auditRecords(store)) {
    if (record.revision === 0) continue;
    const trail = trails.get(record.id);
    const pruned = trail?.some(({ event }) => event === 'prune');
    if (trail === undefined || pruned) trails.set(record.id, [record]);
    else trail.push(record);
  }
  for (const trail of trails.values()) trail.sort((a, b) => a.revision - b.revision);
  return trails;
}

export async function trailOf(store: Store, id: string): Promise<readonly TrailRecord[]> {
  return (await trailsOf(store)).get(id) ?? [];
}

/** The events of a job, in order. */
export async function eventsOf(store: Store, id: string): Promise<string[]> {
  return (await trailOf(store, id)).map(({ event }) => event);
}
