import { systemClock } from '@redrive/core';
import type { RecordPlace } from '@redrive/durable/audit';
import {
  BlockFollower,
  type FoundRecord,
  foundDocument,
  newestRecords,
  newestSeq,
  RecordFilter,
  type RecordWishes,
  recordPlace,
} from '@redrive/durable/store';
import type { Invocation, Options, RunCommand } from '../command/command-spec.ts';
import {
  durationOption,
  integerOption,
  listOption,
  pageOptions,
  textOption,
  timeOption,
} from '../command/option-values.ts';
import { withReader } from '../store/with-audit.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printJsonLine, printLines } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { printList } from '../terminal/table.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { RECORD_COLUMNS, recordLines, recordRow } from './record-lines.ts';

export const runAuditList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const { limit, after } = pageOptions(options);
  const cursor = cursorOf(after);
  const { found, next } = await withStore(invocation, (store) => {
    const filter = new RecordFilter(store, recordWishes(options, (io.clock ?? systemClock).now()));
    return newestRecords(store, filter, limit, cursor);
  });
  return printList(invocation, {
    name: 'records',
    items: found,
    document: foundDocument,
    columns: RECORD_COLUMNS,
    row: ({ record }) => recordRow(io.screen, record),
    none: 'No record matches.',
    next,
    lines: ({ screen }) => found.flatMap(({ record }) => recordLines(screen, record)),
  });
};

function cursorOf(text: string | undefined): RecordPlace | undefined {
  if (text === undefined) return undefined;
  const cursor = recordPlace(text);
  if (cursor !== undefined) return cursor;
  throw new CliError('usage', `--after is not a cursor: ${text}`, 'It is printed under a list.');
}

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

/** Which records the options mean. @throws CliError with the exit code 2. */
export function recordWishes(options: Options, nowMs: number): RecordWishes {
  return {
    sinceMs: timeOption(options, 'since', nowMs),
    untilMs: timeOption(options, 'until', nowMs),
    events: listOption(options, 'event'),
    by: textOption(options, 'by'),
    session: textOption(options, 'session'),
    category: textOption(options, 'category'),
    tenant: textOption(options, 'tenant'),
    correlation: textOption(options, 'correlation'),
    trace: textOption(options, 'trace'),
  };
}

const PAGE = 100;

export const runAuditExport: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const { name, records } = await withStore(invocation, async (store) => {
    const filter = new RecordFilter(store, recordWishes(options, nowMs));
    const newest = await newestSeq(store);
    const shown = progress(io, 'records');
    let count = 0;
    const writeAll = (write: (text: string) => Promise<void>) =>
      withReader(store, async (reader) => {
        for (let after = ''; ; ) {
          const blocks = await reader.blocks(after, PAGE);
          const last = blocks.at(-1);
          if (last === undefined || last.position <= after) return;
          after = last.position;
          const found = await filter.find(blocks);
          const lines = found.map((each) => `${safeJson(JSON.stringify(foundDocument(each)))}\n`);
          if (lines.length > 0) await write(lines.join(''));
          count += lines.length;
          shown.update(count, last.seq / newest);
        }
      });
    try {
      return {
        name: await writeExport(io, options, `audit-${time}.jsonl`, writeAll),
        records: count,
      };
    } finally {
      shown.end();
    }
  });
  if (name === '-') return;
  if (options.json) printJson(io, { file: name, records });
  else printLines(io, [printable(`${records.toLocaleString('en')} records are in ${name}.`)]);
};
