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
