import type { ShownValues } from '@redrive/durable';
import { attemptLines } from '../jobs/attempt-lines.ts';
import { bodyLines, bodyText, factLines, paintState } from '../jobs/job-lines.ts';
import { errorWords, REASON_TEXT } from '../jobs/reason-text.ts';
import { countText } from '../store/job-counts.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatAge, formatTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { adviceFor } from './advice.ts';
import { cameBack, type Letter, letterDocument } from './letter.ts';

/** A dead letter for people: why it died, what to do next, how it went. */
export function letterLines(
  screen: Screen,
  letter: Letter,
  { nowMs, values }: { readonly nowMs: number; readonly values: ShownValues },
): string[] {
  const { job } = letter;
  const document = letterDocument(letter, values);
  const text = (line: string) => wrapWords(printable(line), screen.columns);
  return [
    `${screen.paint('bold', printable(`${job.handler} ${job.id}`))}  ${paintState(screen, job.state)}`,
    ...text(whyText(letter, nowMs)),
    ...text(adviceFor(job.reason, job.attempts.kept.at(-1)?.entry)),
    '',
    ...nextLines(screen, letter),
    '',
    ...causeLines(screen, document.redrive),
    ...factLines(screen, job, nowMs),
    ...attemptLines(screen, job.attempts),
    ...bodyLines(screen, 'payload', bodyText(document.original_event), values),
    ...document.earlier_payloads.flatMap(({ generation, replaced_at, by, payload }) =>
      bodyLines(
        screen,
        printable(`payload of generation ${generation}, replaced at ${replaced_at} by ${by}`),
        bodyText(payload),
        values,
      ),
    ),
  ];
}

function whyText({ job }: Letter, nowMs: number): string {
  const { reason, finishedAtMs = nowMs, account, state } = job;
  const because = reason === undefined ? '' : `: ${reason}, ${REASON_TEXT[reason]}`;
  const when = `${formatTime(finishedAtMs)} (${formatAge(finishedAtMs, nowMs)})`;
  const times = account.generation - 1;
  const back = cameBack(job) ? ` It was requeued ${timesText(times)} before, and died again.` : '';
  const purged = state === 'purged' ? ' It was purged, and can still be restored.' : '';
  return `It was given up at ${when}${because}.${back}${purged}`;
}

/** Commands that can be copied. */
function nextLines(screen: Screen, { job, sameCause }: Letter): string[] {
  const { state, fingerprint } = job;
  const id = printable(job.id);
  const count = countText(sameCause.count, sameCause.bounded);
  const steps: readonly (readonly [string, string])[] =
    state === 'purged'
      ? [[`redrive dlq restore ${id}`, 'restore it']]
      : [
          [`redrive dlq requeue ${id}`, 'run it again as it is'],
          [`redrive dlq edit ${id}`, 'run it with another payload'],
          [`redrive dlq purge ${id}`, 'delete it'],
          ...(fingerprint === undefined || sameCause.count < 2
            ? []
            : [
                [
                  `redrive dlq list --group ${fingerprint}`,
                  `all ${count} with this cause`,
                ] as const,
              ]),
        ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const room = screen.columns - width - 4;
  return steps.map(([command, why]) =>
    why.length <= room
      ? `  ${screen.paint('cyan', command.padEnd(width))}  ${screen.paint('dim', why)}`
      : `  ${screen.paint('cyan', command)}`,
  );
}

function causeLines(
  screen: Screen,
  { pattern, fingerprint }: { readonly pattern: string; readonly fingerprint: string },
): string[] {
  const name = screen.paint('cyan', 'cause      ');
  const [first = '', ...more] = wrapWords(printable(errorWords(pattern)), screen.columns - 12);
  return [`${name} ${first}`, ...[...more, fingerprint].map((line) => `${' '.repeat(12)}${line}`)];
}

function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}
