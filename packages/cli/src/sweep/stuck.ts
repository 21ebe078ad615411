import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  counted,
  documentJson,
  explainedDocument,
  type ListedDocument,
  planRelease,
  sendDocument,
  stuckDocuments,
  stuckJson,
  verbOf,
  whyNotSent,
  withSurroundings,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { momentOption, pageOptions } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, type Cell, columns, printList, timeCell } from '../terminal/table.ts';
import { formatDue, formatDuration, formatTime } from '../terminal/times.ts';
import { documentOf, withSweep, withSweeps } from './configured-sweeps.ts';

export const DOCUMENT_COLUMNS = columns(
  'collection:cyan | id | status | attempts:right | last attempt',
);

export function documentRow({ sweep, document, nowMs }: ListedDocument) {
  const { id, status, count, timeMs } = document;
  const last = timeMs === null ? 'never' : Number.isNaN(timeMs) ? '' : ageCell(timeMs, nowMs);
  return [sweep.name, id, status, count === null ? '0' : String(count), last];
}

function stuckCell({ document: { firstStuckMs }, nowMs }: ListedDocument): Cell {
  if (firstStuckMs === undefined) return '';
  return timeCell(formatDuration(nowMs - firstStuckMs), firstStuckMs);
}

export const runStuckList: RunCommand = (invocation) => {
  const { args, options } = invocation;
  const isInvalid = options.invalid === true;
  return withSweeps(invocation, args, async ({ sweeps, config }) => {
    const page = { ...pageOptions(options), invalid: isInvalid };
    const list = (store: FullStore) => stuckDocuments(store, sweeps, page);
    const { items, next } = await withStore(invocation, list, { config });
    return printList(invocation, {
      name: 'documents',
      items,
      document: stuckJson,
      columns: [
        ...DOCUMENT_COLUMNS,
        ...columns('stuck for'),
        { title: isInvalid ? 'problem' : 'next', ...(isInvalid && { shrinks: true }) },
        { title: 'error', shrinks: true, optional: true },
      ],
      row: (one) => {
        const { verb, dueAtMs } = verbOf(one);
        const waits = verb === 'wait' && dueAtMs !== undefined;
        const shown = waits ? timeCell(formatDue(dueAtMs, one.nowMs), dueAtMs) : verb;
        return [...documentRow(one), stuckCell(one), shown, documentJson(one).error ?? ''];
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
    const shown = await withStore(
      invocation,
      async (store) => {
        const [listed] = await withSurroundings(store, [{ sweep, document, nowMs }]);
        // One document in, one out.
        return explainedDocument(listed as ListedDocument);
      },
      { config },
    );
    if (options.json) return printJson(io, shown);
    const { mark } = document;
    const facts: [string, string | undefined][] = [
      [
        'status',
        `${shown.status}, ${shown.attempt_count ?? 0} of ${sweep.policy.maxAttempts} attempts`,
      ],
      ['last', document.timeMs === null ? 'never attempted' : formatTime(document.timeMs)],
      [
        'stuck',
        shown.stuck_since === null
          ? undefined
          : `since ${formatTime(Date.parse(shown.stuck_since))}`,
      ],
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

export const runSweepSchedule: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const at = momentOption(options, 'at');
  const dry = options.dryRun === true;
  return withSweep(invocation, async (sweep, { config }) => {
    const id = args[1] ?? '';
    const { document, nowMs } = await documentOf(sweep, id);
    const why = whyNotSent(sweep, document);
    if (why !== undefined)
      throw new CliError('conflict', `Document ${id} of ${sweep.name} ${why}.`);
    const job = dry
      ? null
      : await withStore(
          invocation,
          (store) => sendDocument(store, sweep, { document, nowMs, ...by(invocation), due: at }),
          { config },
        );
    if (options.json)
      return printJson(io, { collection: sweep.name, document: id, job, dry_run: dry });
    const when = at === undefined ? 'now' : 'inMs' in at ? 'then' : new Date(at.atMs).toISOString();
    const text = dry
      ? `The event of document ${id} of ${sweep.name} would be sent.`
      : `Job ${job} sends the event of document ${id} of ${sweep.name}${when === 'now' ? '' : `, not before its time`}.`;
    printText(io, text);
  });
};

export const runStuckRelease: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  return withSweep(invocation, async (sweep, { config }) => {
    const [, ...ids] = args;
    const { due, refused, nowMs } = await planRelease(sweep, ids);
    if (!dry && due.length > 0) {
      await withStore(
        invocation,
        async (store) => {
          for (const document of due)
            await sendDocument(store, sweep, { document, nowMs, ...by(invocation) });
        },
        { config },
      );
    }
    const { name: collection } = sweep;
    if (options.json) printJson(io, { collection, released: due.length, refused, dry_run: dry });
    else {
      const are = dry ? 'would be sent' : due.length === 1 ? 'is a job now' : 'are jobs now';
      printLines(io, [
        printable(`${counted(due.length, 'event')} of ${collection} ${are}.`),
        ...refused.map(({ id, why }) => printable(`Document ${id} ${why}.`)),
      ]);
    }
    return refused.length > 0 ? EXIT.partial : EXIT.ok;
  });
};

function by({ io, options }: Invocation) {
  return { actor: actorOf(options), clock: io.clock ?? systemClock };
}
