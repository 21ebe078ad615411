import {
  documentJson,
  explainedDocument,
  type ListedDocument,
  nextOf,
  stuckDocuments,
  stuckJson,
  sweepStop,
} from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { pageOptions } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, columns, printList, timeCell } from '../terminal/table.ts';
import { formatDue, formatTime } from '../terminal/times.ts';
import { documentOf, withSweep, withSweeps } from './configured-sweeps.ts';

export const DOCUMENT_COLUMNS = columns(
  'collection:cyan | id | status | attempts:right | last attempt',
);

export function documentRow({ sweep, document, nowMs }: ListedDocument) {
  const { id, status, count, timeMs } = document;
  const last = timeMs === null ? 'never' : Number.isNaN(timeMs) ? '' : ageCell(timeMs, nowMs);
  return [sweep.name, id, status, count === null ? '0' : String(count), last];
}

export const runStuckList: RunCommand = (invocation) => {
  const { args, options } = invocation;
  const isInvalid = options.invalid === true;
  return withSweeps(invocation, args, async ({ sweeps }) => {
    const page = { ...pageOptions(options), invalid: isInvalid };
    const { items, next } = await stuckDocuments(sweeps, page);
    return printList(invocation, {
      name: 'documents',
      items,
      document: stuckJson,
      columns: [
        ...DOCUMENT_COLUMNS,
        { title: isInvalid ? 'problem' : 'next', ...(isInvalid && { shrinks: true }) },
        { title: 'error', shrinks: true, optional: true },
      ],
      row: (one) => {
        const { verb, dueAtMs } = nextOf(one);
        const waits = verb === 'wait' && dueAtMs !== undefined;
        const shown = waits ? timeCell(formatDue(dueAtMs, one.nowMs), dueAtMs) : verb;
        return [...documentRow(one), shown, documentJson(one).error ?? ''];
      },
      none: isInvalid ? 'No document is invalid.' : 'No document is stuck.',
      next,
    });
  });
};

export const runStuckExplain: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  return withSweep(invocation, async (sweep, { config }) => {
    const { document, nowMs } = await documentOf(sweep, args[1] ?? '');
    const stopped = await withStore(
      invocation,
      async (store) => sweepStop(await store.controls(), sweep),
      { config },
    );
    const listed = { sweep, document, nowMs };
    const shown = explainedDocument(listed, stopped);
    if (options.json) return printJson(io, shown);
    const { mark } = document;
    const facts: [string, string | undefined][] = [
      [
        'status',
        `${shown.status}, ${shown.attempt_count ?? 0} of ${sweep.policy.maxAttempts} attempts`,
      ],
      ['last', document.timeMs === null ? 'never attempted' : formatTime(document.timeMs)],
      ['due', shown.due === null ? undefined : formatTime(Date.parse(shown.due))],
      ['event', mark && `${mark.event}${mark.sent ? '' : ', not sent yet'}`],
      ['error', shown.error ?? undefined],
    ];
    printLines(io, [
      printable(shown.verdict),
      ...facts.flatMap(([name, text]) =>
        text === undefined
          ? []
          : [`  ${io.screen.paint('dim', name.padEnd(6))}  ${printable(text)}`],
      ),
    ]);
  });
};
