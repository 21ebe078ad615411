import type { Readable } from 'node:stream';
import type { Clock } from '@redrive/core';

/** A client that gets nothing for a minute takes the connection for broken. */
const EVERY_MS = 15_000;

/** Sends a space now and then, between the items of a stream (NDJSON): readers of JSON ignore it. */
export function withSignsOfLife(stream: Readable, clock: Clock): Readable {
  const sign = () => {
    if (stream.readableLength === 0) stream.push(' ');
    timer = clock.setTimer(EVERY_MS, sign);
  };
  let timer = clock.setTimer(EVERY_MS, sign);
  return stream.once('close', () => timer.cancel());
}
