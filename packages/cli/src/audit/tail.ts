import { systemClock } from '@redrive/core';
import {
  BlockFollower,
  type FoundRecord,
  foundDocument,
  newestRecords,
  newestSeq,
  RecordFilter,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption, integerOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printJsonLine, printLines } from '../terminal/io.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { recordLines } from './record-lines.ts';
import { recordWishes } from './record-wishes.ts';

const DEFAULT_LIMIT = 10;
const EVERY_MS = 500;

export const runAuditTail: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000 }) ?? DEFAULT_LIMIT;
  const forMs = durationOption(options, 'for') ?? Infinity;
  const clock = io.clock ?? systemClock;
  const endMs = clock.monotonic() + forMs;
  await withStore(invocation, async (store) => {
    const filter = new RecordFilter(store, recordWishes(options, clock.now()));
    const newest = await newestSeq(store);
    const follower = new BlockFollower(store, newest, clock);
    const { found } = await newestRecords(store, filter, limit, { block: newest + 1, index: 0 });
    print(invocation, found.toReversed());
    await untilStopped(io, async (stopped) => {
      while (!stopped.aborted && clock.monotonic() < endMs) {
        await pause(clock, Math.min(EVERY_MS, endMs - clock.monotonic()), stopped);
        for await (const blocks of follower.next()) print(invocation, await filter.find(blocks));
      }
    });
  });
};

function print({ io, options }: Invocation, found: readonly FoundRecord[]): void {
  for (const each of found) {
    if (options.json) printJsonLine(io, foundDocument(each));
    else printLines(io, recordLines(io.screen, each.record));
  }
}
