import { systemClock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import type { RecordPlace } from '@redrive/durable/audit';
import {
  BlockFollower,
  type FoundRecord,
  formatProblem,
  foundDocument,
  LogRenderer,
  newestRecords,
  newestSeq,
  RECORD_FORMATS,
  RecordFilter,
  type RecordWishes,
  recordPlace,
} from '@redrive/durable/store';
import type { Options, RunCommand } from '../command/command-spec.ts';
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
import { columns, printList } from '../terminal/table.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { RECORD_COLUMNS, recordLines, recordRow } from './record-lines.ts';

export const runAuditList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const { limit, after } = pageOptions(options);
  const cursor = cursorOf(after);
  const wishes = recordWishes(options, (io.clock ?? systemClock).now());
  const { found, next, shown } = await withStore(invocation, async (store) => {
    const page = await newestRecords(store, new RecordFilter(store, wishes), limit, cursor);
    return { ...page, shown: await shownIn(store, wishes)(page.found.toReversed()) };
  });
  if (wishes.format !== undefined) {
    return printList(invocation, {
      name: 'records',
      items: shown.toReversed(),
      document: (document) => document,
      columns: DOCUMENT_COLUMNS,
      row: (document) => [safeJson(JSON.stringify(document))],
      none: 'No record matches.',
      next,
      lines: () => shown.toReversed().map((document) => safeJson(JSON.stringify(document))),
    });
  }
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

const DOCUMENT_COLUMNS = columns('document');

/** Makes the documents of records, in their order: of the log, or of the shape that was asked for. */
function shownIn(store: Store, { format, events }: RecordWishes) {
  if (format === undefined) {
    return async (found: readonly FoundRecord[]): Promise<object[]> => found.map(foundDocument);
  }
  const renderer = new LogRenderer(store, { format, events });
  return async (found: readonly FoundRecord[]): Promise<object[]> =>
    (await renderer.render(found)).map(({ document }) => document);
}

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
    const wishes = recordWishes(options, clock.now());
    const filter = new RecordFilter(store, wishes);
    const documents = shownIn(store, wishes);
    const print = async (found: readonly FoundRecord[]) => {
      if (wishes.format !== undefined || options.json) {
        for (const document of await documents(found)) printJsonLine(io, document);
      } else {
        for (const { record } of found) printLines(io, recordLines(io.screen, record));
      }
    };
    const newest = await newestSeq(store);
    const follower = new BlockFollower(store, newest, clock);
    const { found } = await newestRecords(store, filter, limit, { block: newest + 1, index: 0 });
    await print(found.toReversed());
    await untilStopped(io, async (stopped) => {
      while (!stopped.aborted && clock.monotonic() < endMs) {
        await pause(clock, Math.min(EVERY_MS, endMs - clock.monotonic()), stopped);
        for await (const blocks of follower.next()) await print(await filter.find(blocks));
      }
    });
  });
};

/** Which records the options mean. @throws CliError with the exit code 2. */
export function recordWishes(options: Options, nowMs: number): RecordWishes {
  const events = listOption(options, 'event');
  const format = RECORD_FORMATS.find((known) => known === options.format);
  const problem = format && formatProblem(format, events);
  if (problem !== undefined) throw new CliError('usage', `${problem}.`);
  return {
    format,
    sinceMs: timeOption(options, 'since', nowMs),
    untilMs: timeOption(options, 'until', nowMs),
    events,
    by: textOption(options, 'by'),
    session: textOption(options, 'session'),
    category: textOption(options, 'category'),
    handler: textOption(options, 'operation'),
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
    const wishes = recordWishes(options, nowMs);
    const filter = new RecordFilter(store, wishes);
    const documents = shownIn(store, wishes);
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
          const shownNow = await documents(await filter.find(blocks));
          const lines = shownNow.map((each) => `${safeJson(JSON.stringify(each))}\n`);
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
