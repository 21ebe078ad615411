import { type ReasonCode, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { AttemptEntry } from '@redrive/core/stored';
import { type Job, jobDocument } from '@redrive/durable';
import {
  countText,
  diedAgain,
  errorWords,
  isLetter,
  type Letter,
  letterDocument,
  readLetter,
  type ShownValues,
} from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { attemptLines } from '../jobs/attempt-lines.ts';
import { bodyLines, bodyText, factLines, paintState } from '../jobs/job-lines.ts';
import { REASON_TEXT } from '../jobs/next-step.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatAge, formatTime } from '../terminal/times.ts';

/** A dead letter for people: why it died, what to do next, how it went. */
function letterLines(
  screen: Screen,
  letter: Letter,
  { nowMs, values }: { readonly nowMs: number; readonly values: ShownValues },
): string[] {
  const { job } = letter;
  const document = letterDocument(letter, values);
  const facts = jobDocument(job, { values });
  const text = (line: string) => wrapWords(printable(line), screen.columns);
  return [
    `${screen.paint('bold', printable(`${job.handler} ${job.id}`))}  ${paintState(screen, job.state)}`,
    ...text(whyText(letter, nowMs)),
    ...text(adviceFor(job.reason, job.attempts.kept.at(-1)?.entry)),
    '',
    ...nextLines(screen, letter),
    '',
    ...causeLines(screen, document.redrive),
    ...factLines(screen, facts, nowMs),
    ...attemptLines(screen, facts),
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
  const back = diedAgain(job) ? ` It was requeued ${timesText(times)} before, and died again.` : '';
  const purged = state === 'purged' ? ' It was purged, and can still be restored.' : '';
  return `It was given up at ${when}${because}.${back}${purged}`;
}

/** Commands that can be copied. */
function nextLines(screen: Screen, { job, sameCause }: Letter): string[] {
  const { state, fingerprint } = job;
  const { id } = job;
  const count = countText(sameCause.count, sameCause.bounded);
  const steps: readonly (readonly [string, string])[] =
    state === 'purged'
      ? [[commandText`redrive dlq restore ${id}`, 'restore it']]
      : [
          [commandText`redrive dlq requeue ${id}`, 'run it again as it is'],
          [commandText`redrive dlq edit ${id}`, 'run it with another payload'],
          [commandText`redrive dlq purge ${id}`, 'delete it'],
          ...(fingerprint === undefined || sameCause.count < 2
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
const ADVICE: Partial<Readonly<Record<ReasonCode, string>>> = {
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
};

const LOST = `Its worker process ended while it ran this job and no other, so the job is the likely cause: find out why the handler ends its process, ${SEND_BACK}.`;

/** @param lastEntry of the newest attempt: a job that ends its process is given up with the same reason as others. */
export function adviceFor(
  reason: ReasonCode | undefined,
  lastEntry: AttemptEntry | undefined,
): string {
  const isSpent = reason === 'max_attempts_exceeded' || reason === 'lease_lost';
  if (isSpent && lastEntry === 'lease_lost') return LOST;
  return (reason && ADVICE[reason]) ?? `Read the newest error, remove its cause, ${SEND_BACK}.`;
}

export const runDlqShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  // The command line takes no others.
  const values = (textOption(options, 'payload') ?? 'redacted') as ShownValues;
  const letter = await withStore(invocation, async (store) =>
    readLetter(store, deadJob(await store.job(id), id)),
  );
  const nowMs = (io.clock ?? systemClock).now();
  if (options.json) printJson(io, letterDocument(letter, values));
  else printLines(io, letterLines(io.screen, letter, { nowMs, values }));
};

/** @throws CliError `no_match` where there is no such letter. */
export function deadJob(job: Job | undefined, id: string): Job {
  if (job === undefined) throw noSuchJob(id);
  if (isLetter(job)) return job;
  const hint = `Look at it with: ${commandText`redrive jobs show ${id}`}`;
  throw new CliError('no_match', `${id} is not a dead letter: its state is ${job.state}.`, hint);
}

function noSuchJob(id: string): CliError {
  const hint =
    '"redrive jobs list" lists all jobs. Finished jobs are deleted when their retention time is over.';
  return new CliError('no_match', `There is no job with the id ${id}.`, hint);
}
