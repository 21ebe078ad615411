import { systemClock } from '@redrive/core';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJsonLine, printLines } from '../terminal/io.ts';
import { parseDuration } from '../terminal/parse-time.ts';
import { pause } from '../terminal/pause.ts';
import { BlockFollower } from './block-follower.ts';
import { newestSeq } from './blocks-back.ts';
import { newestRecords } from './list.ts';
import { type FoundRecord, RecordFilter } from './record-filter.ts';
import { foundDocument, recordLines } from './record-lines.ts';

const DEFAULT_LIMIT = 10;
const EVERY_MS = 500;

/** `redrive audit tail` */
export const runAuditTail: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000 }) ?? DEFAULT_LIMIT;
  const text = textOption(options, 'for');
  const forMs = text === undefined ? Infinity : parseDuration(text, '--for');
  const clock = io.clock ?? systemClock;
  const endMs = clock.monotonic() + forMs;
  await withStore(invocation, async (store) => {
    const filter = new RecordFilter(store, options, clock.now());
    const newest = await newestSeq(store);
    const follower = new BlockFollower(store, newest, clock);
    const { found } = await newestRecords(store, filter, limit, { block: newest + 1, index: 0 });
    print(invocation, found.toReversed());
    const stopped = new AbortController();
    const release = io.takeSignals(() => stopped.abort());
    try {
      while (!stopped.signal.aborted && clock.monotonic() < endMs) {
        await pause(clock, Math.min(EVERY_MS, endMs - clock.monotonic()), stopped.signal);
        for await (const blocks of follower.next()) print(invocation, await filter.find(blocks));
      }
    } finally {
      release();
    }
  });
  return EXIT.ok;
};

function print({ io, options }: Invocation, found: readonly FoundRecord[]): void {
  for (const each of found) {
    if (options.json) printJsonLine(io, foundDocument(each));
    else printLines(io, recordLines(io.screen, each.record));
  }
}
