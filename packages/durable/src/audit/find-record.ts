import { jobHistory } from '../documents/job-history.ts';
import type { Store } from '../store/store.ts';
import type { AuditBlock } from './audit-block.ts';
import { blocksBack, newestSeq } from './blocks-back.ts';
import { type RecordPlace, recordPlace } from './proof.ts';
import { placedRecordsIn } from './read-body.ts';

/** Blocks that are followed back to a record of a job. */
const MAX_STEPS = 10_000;
/** Blocks that are looked through where nothing points to the record: retention has deleted the job, or it is a note. */
const MAX_SCAN = 100_000;

/**
 * The record that somebody means: `17.0` (the block's number and the place in it, as `audit list --jsonl` prints it), the
 * id of a job (its newest record) or `<id>@<revision>`; also the subject of a note. `undefined`: there is none.
 */
export async function findRecord(store: Store, text: string): Promise<RecordPlace | undefined> {
  const place = recordPlace(text);
  if (place !== undefined) return place;
  const whole = { id: text, revision: undefined };
  const [, id, revision] = /^(.+)@(\d{1,15})$/s.exec(text) ?? [];
  const parted = id === undefined ? whole : { id, revision: Number(revision) };
  // An id may end like a revision.
  return (
    (await ofJob(store, whole)) ??
    (parted === whole ? undefined : await ofJob(store, parted)) ??
    (await lookThrough(store, parted))
  );
}

interface Wish {
  readonly id: string;
  /** Absent: the newest. */
  readonly revision: number | undefined;
}

/** Follows a job's records back, which is fast however long the log is. */
async function ofJob(store: Store, { id, revision }: Wish): Promise<RecordPlace | undefined> {
  const maxBlocks = revision === undefined ? 1 : MAX_STEPS;
  const history = await jobHistory(store, id, { maxBlocks });
  const entry =
    revision === undefined
      ? history?.entries.at(-1)
      : history?.entries.find((each) => each.revision === revision);
  if (entry === undefined) return undefined;
  const [block] = await store.auditBlocks(entry.block - 1, 1);
  return block && placeIn(block, { id, revision: entry.revision });
}

async function lookThrough(store: Store, wish: Wish): Promise<RecordPlace | undefined> {
  const mention = JSON.stringify(wish.id);
  let scanned = 0;
  for await (const blocks of blocksBack(store, await newestSeq(store))) {
    for (const block of blocks) {
      const place = block.body.includes(mention) ? placeIn(block, wish) : undefined;
      if (place !== undefined) return place;
    }
    scanned += blocks.length;
    if (scanned >= MAX_SCAN) return undefined;
  }
  return undefined;
}

function placeIn(block: AuditBlock, { id, revision }: Wish): RecordPlace | undefined {
  // A look at the job is a record about it, too; nobody means that record.
  const found = placedRecordsIn(block).findLast(
    ({ record }) =>
      record.id === id &&
      (revision === undefined ? record.event !== 'read' : record.revision === revision),
  );
  return found && { block: block.seq, index: found.index };
}
