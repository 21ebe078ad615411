import { systemClock } from '@redrive/core';
import type { RecordPlace } from '@redrive/durable/audit';
import { foundDocument, newestRecords, RecordFilter, recordPlace } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { pageOptions } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { printList } from '../terminal/table.ts';
import { RECORD_COLUMNS, recordLines, recordRow } from './record-lines.ts';
import { recordWishes } from './record-wishes.ts';

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
