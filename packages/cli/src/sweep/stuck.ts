import { counted } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, columns, timeCell } from '../terminal/table.ts';
import { formatDue, formatDuration, formatTime } from '../terminal/times.ts';

type Stuck = AnswerOf<typeof ACTIONS.stuck.list>;
type Explained = AnswerOf<typeof ACTIONS.stuck.explain>;
type Document = Omit<AnswerOf<typeof ACTIONS.documents.list>['documents'][number], 'dead_letter'>;

export const DOCUMENT_COLUMNS = columns(
  'collection:cyan | id | status | attempts:right | last attempt',
);

export function documentRow(one: Document, nowMs: number) {
  const { collection, id, status, attempt_count, last_attempt_time, never_attempted } = one;
  const last = never_attempted ? 'never' : ageCell(last_attempt_time, nowMs);
  return [collection, id, status, String(attempt_count ?? 0), last];
}

/** The sentence for an empty list. */
export function noneOf({ collections }: Pick<Stuck, 'collections'>, none: string): string {
  return collections.length > 0
    ? none
    : 'No collection is swept. Declare collections in redrive.yaml under sweeps.collections.';
}

export const STUCK_LIST = listOf<Stuck, Stuck['documents'][number]>(
  ({ answer, nowMs, options: { invalid } }) => ({
    name: 'documents',
    columns: [
      ...DOCUMENT_COLUMNS,
      ...columns('stuck for'),
      { title: invalid ? 'problem' : 'next', ...(invalid === true && { shrinks: true }) },
      { title: 'error', shrinks: true, optional: true },
    ],
    row: (one) => {
      const sinceMs = Date.parse(one.stuck_since ?? '');
      const stuck =
        one.stuck_since === null ? '' : timeCell(formatDuration(nowMs - sinceMs), sinceMs);
      const dueMs = Date.parse(one.due ?? '');
      const waits = one.next === 'wait' && one.due !== null;
      const next = waits ? timeCell(formatDue(dueMs, nowMs), dueMs) : one.next;
      return [...documentRow(one, nowMs), stuck, next, one.error ?? ''];
    },
    none: noneOf(answer, invalid ? 'No document is invalid.' : 'No document is stuck.'),
  }),
);

const at = (time: string | null) => (time === null ? undefined : formatTime(Date.parse(time)));

export const STUCK_EXPLAIN = textOf<Explained>(({ io, answer }) => {
  const { status, attempt_count, max_attempts, stuck_since, due, event, event_sent, error } =
    answer;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['status', `${status}, ${attempt_count ?? 0} of ${max_attempts} attempts`],
    ['last', answer.never_attempted ? 'never attempted' : at(answer.last_attempt_time)],
    ['stuck', stuck_since && `since ${at(stuck_since)}`],
    ['due', at(due)],
    ['event', event && `${event}${event_sent ? '' : ', not sent yet'}`],
    ['error', error],
  ];
  const lines = facts.flatMap(([name, text]) =>
    text ? [`  ${io.screen.paint('dim', name.padEnd(6))}  ${printable(text)}`] : [],
  );
  printLines(io, [printable(answer.verdict), ...lines]);
});

export const STUCK_RELEASE = textOf<AnswerOf<typeof ACTIONS.stuck.release>>(({ io, answer }) => {
  const { collection, released, refused, dry_run } = answer;
  const are = dry_run ? 'would be sent' : released === 1 ? 'is a job now' : 'are jobs now';
  printText(io, `${counted(released, 'event')} of ${collection} ${are}.`);
  for (const { id, why } of refused) printText(io, `Document ${id} ${why}.`);
});

export const SWEEP_SCHEDULE = textOf<AnswerOf<typeof ACTIONS.sweeps.schedule>>(
  ({ io, options, answer: { collection, document, job } }) => {
    const later = options.at === undefined ? '' : ', not before its time';
    const what = `event of document ${document} of ${collection}`;
    const text =
      job === null ? `The ${what} would be sent.` : `Job ${job} sends the ${what}${later}.`;
    printText(io, text);
  },
);
