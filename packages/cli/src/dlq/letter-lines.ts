import type { ReasonCode } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import { countText, errorWords } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { textOption } from '../command/option-values.ts';
import { attemptLines } from '../jobs/attempt-lines.ts';
import { bodyLines, bodyText, factLines, paintState } from '../jobs/job-lines.ts';
import { REASON_TEXT } from '../jobs/next-step.ts';
import { printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatAge, formatTime } from '../terminal/times.ts';

type Letter = AnswerOf<typeof ACTIONS.deadLetters.show>;

/** A dead letter for people: why it died, what to do next, how it went. */
export const LETTER_SHOW = textOf<Letter>(({ io: { screen }, io, options, answer, nowMs }) => {
  const { job, redrive, state } = answer;
  // The command line takes no others.
  const values = (textOption(options, 'payload') ?? 'redacted') as 'none' | 'redacted' | 'full';
  const text = (line: string) => wrapWords(printable(line), screen.columns);
  printLines(io, [
    `${screen.paint('bold', printable(`${job.handler} ${job.id}`))}  ${paintState(screen, state)}`,
    ...text(whyText(answer, nowMs)),
    ...text(adviceFor(redrive.reason_code, redrive.attempts.at(-1)?.entry)),
    '',
    ...nextLines(screen, answer),
    '',
    ...causeLines(screen, redrive),
    ...factLines(screen, job, nowMs),
    ...attemptLines(screen, job),
    ...bodyLines(screen, 'payload', bodyText(answer.original_event), values),
    ...answer.earlier_payloads.flatMap(({ generation, replaced_at, by, payload }) =>
      bodyLines(
        screen,
        printable(`payload of generation ${generation}, replaced at ${replaced_at} by ${by}`),
        bodyText(payload),
        values,
      ),
    ),
  ]);
});

const REASONS: Readonly<Record<string, string>> = REASON_TEXT;

function whyText({ job, redrive, came_back, state }: Letter, nowMs: number): string {
  const { reason_code: reason, generation } = redrive;
  const finishedAtMs = job.finished_at === null ? nowMs : Date.parse(job.finished_at);
  const because = reason === null ? '' : `: ${reason}, ${REASONS[reason]}`;
  const when = `${formatTime(finishedAtMs)} (${formatAge(finishedAtMs, nowMs)})`;
  const back = came_back
    ? ` It was requeued ${timesText(generation - 1)} before, and died again.`
    : '';
  const purged = state === 'purged' ? ' It was purged, and can still be restored.' : '';
  return `It was given up at ${when}${because}.${back}${purged}`;
}

/** Commands that can be copied. */
function nextLines(screen: Screen, { state, redrive, same_cause }: Letter): string[] {
  const { id, fingerprint } = redrive;
  const count = countText(same_cause.count, same_cause.bounded);
  const steps: readonly (readonly [string, string])[] =
    state === 'purged'
      ? [[commandText`redrive dlq restore ${id}`, 'restore it']]
      : [
          [commandText`redrive dlq requeue ${id}`, 'run it again as it is'],
          [commandText`redrive dlq edit ${id}`, 'run it with another payload'],
          [commandText`redrive dlq purge ${id}`, 'delete it'],
          ...(same_cause.count < 2
            ? []
            : [
                [
                  commandText`redrive dlq list --group ${fingerprint}`,
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

const SEND_BACK = 'then requeue it';

/**
 * The advice for a dead letter, by the reason that it was given up for. Reasons that are not here: look at the error.
 */
const ADVICE = {
  final_error: `The error is final, so a retry alone cannot help: remove the cause of the error or edit the payload, ${SEND_BACK}.`,
  max_attempts_exceeded: `Every attempt failed: check that its dependency works again, ${SEND_BACK}.`,
  allowance_exhausted: `Other calls in the same attempt used up its retries: check that its dependency works again, ${SEND_BACK}.`,
  inner_gave_up: `A call inside the handler gave up: solve that problem first, ${SEND_BACK}.`,
  policy_disabled: `Its policy is disabled and allows one attempt only: enable the policy, or requeue it by hand.`,
  ttl_exceeded: 'Its deadline has passed. Requeue it (without a deadline), or purge it.',
  beyond_horizon: `The wait would have been too long: check that its dependency works again, ${SEND_BACK}.`,
  budget_exhausted: `The retry budget of its dependency was exhausted: check that the dependency works again, ${SEND_BACK}.`,
  breaker_open: `The circuit breaker of its dependency was open: check that the dependency works again, ${SEND_BACK}.`,
  effect_unknown:
    'It is unknown whether its effect was applied. Find out first: after a requeue the effect may be applied twice.',
  effect_applied:
    'Its effect was applied, although the attempt failed. After a requeue it may be applied twice; purge it if nothing is left to do.',
} satisfies Partial<Readonly<Record<ReasonCode, string>>>;

const LOST = `Its worker process ended while it ran this job and no other, so the job is the likely cause: find out why the handler ends its process, ${SEND_BACK}.`;

const ADVICES: Readonly<Record<string, string>> = ADVICE;

/** @param lastEntry of the newest attempt: a job that ends its process is given up with the same reason as others. */
export function adviceFor(reason: string | null, lastEntry: string | undefined): string {
  const isSpent = reason === 'max_attempts_exceeded' || reason === 'lease_lost';
  if (isSpent && lastEntry === 'lease_lost') return LOST;
  return ADVICES[reason ?? ''] ?? `Read the newest error, remove its cause, ${SEND_BACK}.`;
}
