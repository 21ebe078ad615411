import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type DeadFilter,
  type ExportFormat,
  exportDeadLetters,
} from '@redrive/durable/dead-letters';
import {
  exportFileName,
  MAX_DEAD_COUNT,
  readLetters,
  type ShownValues,
} from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { deadFilter } from './dead-filter.ts';

/** Characters that are written at once. */
const BATCH = 256 * 1024;

export const runDlqExport: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  // The command line takes no others.
  const format = (textOption(options, 'format') ?? 'jsonl') as ExportFormat;
  const values = (textOption(options, 'payload') ?? 'redacted') as ShownValues;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000_000_000 }) ?? Infinity;
  const { name, letters } = await withStore(invocation, async (store) => {
    const shown = progress(io, 'dead letters');
    const fraction = await fractionOf(store, filter, limit);
    let count = 0;
    const source = readLetters(store, filter, limit, values, (written, diedAtMs) => {
      count = written;
      shown.update(written, fraction(written, diedAtMs));
    });
    try {
      const file = await writeExport(io, options, exportFileName(nowMs, format), (write) =>
        inBatches(exportDeadLetters(source, format), write),
      );
      return { name: file, letters: count };
    } finally {
      shown.end();
    }
  });
  if (name === '-') return;
  if (options.json) printJson(io, { file: name, format, payload: values, letters });
  else {
    const noun = letters === 1 ? 'dead letter is' : 'dead letters are';
    printLines(io, [printable(`${letters.toLocaleString('en')} ${noun} in ${name}.`)]);
  }
};

async function inBatches(
  lines: AsyncIterable<string>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let batch = '';
  for await (const line of lines) {
    batch += line;
    if (batch.length < BATCH) continue;
    await write(batch);
    batch = '';
  }
  if (batch !== '') await write(batch);
}

/** How much of all it is. Where there are too many to be counted, by the times of their deaths. */
async function fractionOf(store: FullStore, filter: DeadFilter, limit: number) {
  const { count, bounded } = await store.countDead(filter, MAX_DEAD_COUNT);
  if (!bounded) return (done: number) => done / Math.max(1, Math.min(count, limit));
  const [oldest, newest] = await Promise.all([
    store.deadLetters(filter, { limit: 1, first: 'oldest' }),
    store.deadLetters(filter, { limit: 1 }),
  ]);
  const lastMs = newest.jobs[0]?.finishedAtMs ?? 0;
  const spanMs = Math.max(1, lastMs - (oldest.jobs[0]?.finishedAtMs ?? 0));
  return (done: number, diedAtMs: number) => Math.max((lastMs - diedAtMs) / spanMs, done / limit);
}
