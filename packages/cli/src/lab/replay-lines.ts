import type { ReplayedCourse, ReplayTotals, SessionsReplayed } from '@redrive/lab';
import type { Side } from '@redrive/operate/run';
import { type Io, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';
import type { DerivedAttempts, Difference, OtherAnswer } from './derive-attempts.ts';
import type { Window } from './recorded-from-store.ts';

/** A difference, and how its session goes on. */
export interface Listed {
  readonly difference: Difference;
  readonly course: ReplayedCourse;
}

/** Everything that is shown. */
export interface Replayed {
  readonly window: Window;
  readonly others: ReadonlyMap<string, Side>;
  readonly derived: DerivedAttempts;
  readonly totals: SessionsReplayed;
  readonly differing: number;
  readonly listed: readonly Listed[];
}

const INFERRED =
  'Inferred: nobody saw what follows a differing decision. As in a back-test, an attempt fails while the dependency was down or while the failure of the session itself lasted, and the retries themselves change nothing. Error classes, hints, deadlines and budgets are those of the record.';

export function printReplay(io: Io, replayed: Replayed): void {
  const { window, others, derived, totals, differing, listed } = replayed;
  const { screen } = io;
  const time = (ms: number) => new Date(ms).toISOString();
  const verdict =
    derived.underived === 0
      ? screen.paint('green', 'all as recorded')
      : screen.paint('red', `${count(derived.underived)} NOT as recorded`);
  printLines(io, [
    `${count(totals.recorded.sessions)} sessions from ${time(window.sinceMs)} to ${time(window.untilMs)}`,
    `${count(derived.decisions)} decisions derived again, ${verdict}`,
    ...derived.named.map(({ session, attempt, endedAtMs, problem }) =>
      printable(`  ${session} attempt ${attempt}, ${time(endedAtMs)}: ${problem}`),
    ),
  ]);
  if (others.size === 0) return;
  const names = [...others].map(([id, { label }]) => `${label} instead of ${id}`).join(', ');
  printLines(io, [
    printable(`With ${names}: ${count(differing)} sessions have a decision that differs.`),
    '',
    ...tableLines(screen, TOTAL_COLUMNS, totalRows(totals)),
  ]);
  if (differing === 0) {
    const text = 'No decision depends on the timeout of a breaker:';
    printText(io, `${text} to compare it, use "redrive policies backtest".`);
  }
  if (listed.length > 0) {
    printLines(io, ['', ...tableLines(screen, DIFFERENCE_COLUMNS, listed.map(differenceRow))]);
    if (listed.length < differing) {
      printLines(io, [`and ${count(differing - listed.length)} more: --limit`]);
    }
    printLines(io, ['']);
    printText(io, INFERRED);
  }
}

const TOTAL_COLUMNS = columns(':cyan | recorded:right | other:right | of which inferred:right');

const DIFFERENCE_COLUMNS = columns('session:cyan | attempt:right | recorded | other | then');

function totalRows({ recorded, other, inferred }: SessionsReplayed): string[][] {
  const row = (title: string, of: (totals: ReplayTotals) => string) => [
    title,
    of(recorded),
    of(other),
    of(inferred),
  ];
  return [
    row('attempts', ({ attempts }) => count(attempts)),
    row('succeeded', ({ succeeded }) => count(succeeded)),
    row('given up', ({ givenUp }) => count(givenUp)),
    row('not finished', ({ unfinished }) => count(unfinished)),
    row('mean time to success', (totals) => {
      const meanMs = meanOf(totals);
      return meanMs === null ? 'none' : formatDuration(Math.round(meanMs));
    }),
  ];
}

function meanOf({ succeeded, tookMs }: ReplayTotals): number | null {
  return succeeded === 0 ? null : tookMs / succeeded;
}

function differenceRow({ difference, course }: Listed): string[] {
  const { session, attempt, recorded, other } = difference;
  const ends = `${course.result.replace('-', ' ')} after ${course.attempts} attempts`;
  return [
    printable(session),
    String(attempt),
    answer(recorded),
    answer(other),
    `${ends}${course.isInferred ? ' (inferred)' : ''}`,
  ];
}

function answer(given: OtherAnswer): string {
  if (given.action === 'run') return 'an attempt: no breaker';
  const { action, reason, delayMs } = given;
  const wait =
    action === 'retry' && delayMs !== undefined ? ` after ${formatDuration(delayMs)}` : '';
  return printable(`${action}${wait}: ${reason}`);
}

const count = (number: number) => number.toLocaleString('en');

export function documentOf({ window, others, derived, totals, differing, listed }: Replayed) {
  const time = (ms: number) => new Date(ms).toISOString();
  const hasOther = others.size > 0;
  return {
    since: time(window.sinceMs),
    until: time(window.untilMs),
    decisions: derived.decisions,
    underived: derived.underived,
    underived_examples: derived.named.map(({ session, attempt, endedAtMs, problem }) => ({
      session,
      attempt,
      at: time(endedAtMs),
      problem,
    })),
    policies: [...others].map(([id, { label }]) => ({ id, other: label })),
    recorded: totalsDocument(totals.recorded),
    other: hasOther ? totalsDocument(totals.other) : null,
    inferred: hasOther ? totalsDocument(totals.inferred) : null,
    differing_sessions: differing,
    differences: listed.map(({ difference, course }) => ({
      session: difference.session,
      generation: difference.generation,
      attempt: difference.attempt,
      at: time(difference.endMs),
      recorded: answerDocument(difference.recorded),
      other: answerDocument(difference.other),
      course: {
        attempts: course.attempts,
        result: course.result,
        at: time(course.endMs),
        inferred: course.isInferred,
      },
    })),
  };
}

function answerDocument(given: OtherAnswer) {
  if (given.action === 'run') return { action: given.action, reason: null, delay_ms: null };
  return { action: given.action, reason: given.reason, delay_ms: given.delayMs ?? null };
}

function totalsDocument(totals: ReplayTotals) {
  return {
    sessions: totals.sessions,
    attempts: totals.attempts,
    succeeded: totals.succeeded,
    given_up: totals.givenUp,
    unfinished: totals.unfinished,
    mean_ms_to_success: meanOf(totals),
  };
}
