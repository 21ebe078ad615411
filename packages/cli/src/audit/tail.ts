import { systemClock } from '@redrive/core';
import type { AuditBlock, Store } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJsonLine, printLines } from '../terminal/io.ts';
import { parseDuration } from '../terminal/parse-time.ts';
import { pause } from '../terminal/pause.ts';
import { newestSeq } from './blocks-back.ts';
import { newestRecords } from './list.ts';
import { foundDocument } from './record-document.ts';
import { type FoundRecord, RecordFilter } from './record-filter.ts';
import { recordLines } from './record-lines.ts';

const DEFAULT_LIMIT = 10;
const EVERY_MS = 500;
const PAGE = 100;
/** Numbers are given out before transactions commit: one may turn up behind others that came later. */
const MARGIN = 500;

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
    const follower = new Follower(store, newest);
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

/** What has come since it was asked last, each block once. */
class Follower {
  readonly #store: Store;
  readonly #seen = new Set<number>();
  #newest: number;
  #from: number;

  constructor(store: Store, newest: number) {
    this.#store = store;
    this.#newest = newest;
    this.#from = newest;
  }

  async *next(): AsyncGenerator<readonly AuditBlock[]> {
    let after = Math.max(this.#from, this.#newest - MARGIN);
    for (;;) {
      const page = await this.#store.auditBlocks(after, PAGE);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.seq;
      yield page.filter(({ seq }) => !this.#seen.has(seq));
      for (const { seq } of page) this.#seen.add(seq);
      this.#newest = Math.max(this.#newest, last.seq);
    }
    for (const seq of this.#seen) if (seq <= this.#newest - MARGIN) this.#seen.delete(seq);
  }
}
