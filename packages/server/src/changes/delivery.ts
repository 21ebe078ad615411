import {
  type AuditBlock,
  eventCountsIn,
  type FoundRecord,
  placedRecordsIn,
} from '@redrive/durable/store';
import { foundAnswer } from '@redrive/operate';

/** Of more records in one delivery only the numbers are sent. */
const MAX_RECORDS = 200;
/** Looks are on record, but change nothing. */
const LOOK = 'read';

/**
 * The changes that the streams of one tenant get at the same time. Their bytes are made once for all streams. Above 200
 * records it is their number by event: a page that shows them reads its list again.
 */
export class Delivery {
  readonly #found: FoundRecord[] = [];
  readonly #counts: Record<string, number> = {};
  #records = 0;
  #newest = 0;
  #bytes: Buffer | undefined;

  /** Takes every record of a block. Above the limit no record is looked at. */
  addBlock(block: AuditBlock): void {
    for (const [event, count] of eventCountsIn(block)) this.#count(event, count, block.seq);
    if (!this.#isOver)
      this.#keep(placedRecordsIn(block).map((placed) => ({ block: block.seq, ...placed })));
  }

  /** Takes records that were looked for. */
  addRecords(found: readonly FoundRecord[]): void {
    for (const { record, block } of found) this.#count(record.event, 1, block);
    if (!this.#isOver) this.#keep(found);
  }

  get bytes(): Buffer {
    this.#bytes ??= this.#isOver
      ? eventText('counts', this.#newest, { records: this.#records, counts: this.#counts })
      : changesText(this.#found);
    return this.#bytes;
  }

  /** Without the blocks that a reader has already. Numbers are those of all blocks. */
  bytesWithout(known: ReadonlySet<number>): Buffer {
    const isNew = ({ block }: FoundRecord) => !known.has(block);
    if (known.size === 0 || this.#isOver || this.#found.every(isNew)) return this.bytes;
    return changesText(this.#found.filter(isNew));
  }

  get #isOver(): boolean {
    return this.#records > MAX_RECORDS;
  }

  #keep(found: readonly FoundRecord[]): void {
    this.#found.push(...found.filter(isChange));
  }

  #count(event: string, count: number, block: number): void {
    if (event === LOOK) return;
    this.#counts[event] = (this.#counts[event] ?? 0) + count;
    this.#records += count;
    this.#newest = Math.max(this.#newest, block);
  }
}

export function isChange({ record }: FoundRecord): boolean {
  return record.event !== LOOK;
}

export function changesText(found: readonly FoundRecord[]): Buffer {
  return Buffer.concat(found.map((one) => eventText('change', one.block, foundAnswer(one))));
}

/** @param block the stream's id: a reconnect says from where on it goes. */
export function eventText(name: string, block: number, data: unknown): Buffer {
  return Buffer.from(`id: ${block}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
