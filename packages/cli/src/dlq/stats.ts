import { systemClock } from '@redrive/core';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { deadFilter } from './dead-filter.ts';
import { readStats, statsDocument } from './read-stats.ts';
import { statsLines } from './stats-lines.ts';

/** `redrive dlq stats` */
export const runDlqStats: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  const stats = await withStore(invocation, (store) => readStats(store, filter, nowMs));
  if (options.json) printJson(io, statsDocument(stats));
  else printLines(io, statsLines(io.screen, stats, nowMs));
  return EXIT.ok;
};
