import { systemClock } from '@redrive/core';
import type { FullStore, Job } from '@redrive/durable';
import {
  type DeadFilter,
  type DeadLetterEnvelope,
  deadLetterOf,
  type ExportFormat,
  exportDeadLetters,
} from '@redrive/durable/dead-letters';
import { exportFileName, MAX_DEAD_COUNT, type ShownValues } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { deadFilter } from './dead-filter.ts';

/** Letters with their payloads that are in memory at once: few at first, then as many as their size allows. */
const FIRST_PAGE = 20;
const MAX_PAGE = 500;
const PAGE_BYTES = 8 * 1024 * 1024;
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

/** The newest death first, page by page. One that was requeued in the meantime is left out. */
async function* readLetters(
  store: FullStore,
  filter: DeadFilter,
  limit: number,
  payload: ShownValues,
  onLetter: (count: number, diedAtMs: number) => void,
): AsyncGenerator<DeadLetterEnvelope> {
  let after: string | undefined;
  let size = FIRST_PAGE;
  let count = 0;
  do {
    const page = await store.deadLetters(filter, { limit: size, after });
    after = page.next;
    const ids = page.jobs.map(({ id }) => id);
    const jobs = new Map((await store.finished(ids)).map((job) => [job.id, job]));
    size = nextSize([...jobs.values()]);
    for (const id of ids) {
      const job = jobs.get(id);
      if (job?.state !== 'dead') continue;
      yield deadLetterOf(job, { payload });
      count += 1;
      onLetter(count, job.finishedAtMs ?? 0);
      if (count >= limit) return;
    }
  } while (after !== undefined);
}

/** So many that a page of them, if they are like these, is no larger than it may be. */
function nextSize(jobs: readonly Job[]): number {
  if (jobs.length === 0) return FIRST_PAGE;
  const bytes = jobs.reduce((sum, { payload }) => sum + sizeOf(payload), 0);
  const most = Math.floor((PAGE_BYTES * jobs.length) / Math.max(1, bytes));
  return Math.max(1, Math.min(MAX_PAGE, most));
}

function sizeOf(payload: Job['payload']): number {
  return payload.kind === 'json' ? payload.text.length : payload.bytes.length;
}
