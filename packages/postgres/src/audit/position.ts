import { RedriveError } from '@redrive/core';

/** The parts of a block's position, as the columns have them. */
export type PositionKey = readonly [epoch: string, xid: string, seq: string];

const START: PositionKey = ['0', '0', '0'];

/** The parts of a position from a pack. A text that is not a position (another program wrote it) comes before all. */
export function keyOfPacked(position: string): PositionKey {
  return /^\d{4}\.\d{20}\.\d{16}$/.test(position) ? positionKey(position) : START;
}

/** `""`: before all blocks. */
export function positionKey(position: string): PositionKey {
  if (position === '') return START;
  const [, epoch, xid, seq] = /^(\d{4})\.(\d{20})\.(\d{16})$/.exec(position) ?? [];
  if (epoch === undefined || xid === undefined || seq === undefined) {
    throw new RedriveError('invalid_option', `${position} is not the position of a block`, {
      position,
    });
  }
  // Postgres reads a transaction id with a leading zero as octal.
  return [epoch, String(BigInt(xid)), seq];
}

/** The SQL of a block's place in the order of sealing: epoch, transaction and sequence number, as a text that sorts. */
export const POSITION = `concat(lpad(b.epoch::text, 4, '0'), '.', lpad(b.xid::text, 20, '0'), '.', lpad(b.seq::text, 16, '0')) collate "C"`;

/**
 * Every connection that writes calls it first. In the server that wrote a block, a transaction that sees the block has a
 * snapshot above the block's own; in another server, which a dump was restored to, the epoch is raised.
 */
export function epochFunction(s: string): string {
  return `
    create or replace function ${s}.check_epoch() returns void language plpgsql volatile as $$
    begin
      update ${s}.epochs e set epoch = e.epoch + 1 where exists (
        select from ${s}.audit_blocks b
        where b.epoch = e.epoch and b.xid >= pg_snapshot_xmax(pg_current_snapshot()));
    end $$;`;
}
