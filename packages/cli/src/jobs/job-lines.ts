import { chargedAttempts } from '@redrive/core';
import type { Job, Pause, Payload } from '@redrive/durable/store';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatAge, formatTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { attemptLines } from './attempt-lines.ts';
import { nextStep } from './next-step.ts';
import { paintState } from './paint-state.ts';

/** Characters of a payload or a result that are shown; `--json` has all. */
const MAX_BODY = 400;

/** The whole life of a job, for people. */
export function jobLines(
  screen: Screen,
  job: Job,
  pauses: readonly Pause[],
  nowMs: number,
): string[] {
  const title = screen.paint('bold', printable(`${job.handler} ${job.id}`));
  return [
    `${title}  ${paintState(screen, job.state)}`,
    ...wrapWords(printable(nextStep(job, pauses, nowMs)), screen.columns),
    '',
    ...factLines(screen, job, nowMs),
    ...attemptLines(screen, job.attempts),
    ...bodyLines(screen, 'payload', payloadText(job.payload)),
    ...bodyLines(screen, 'result', resultText(job)),
  ];
}

function factLines(screen: Screen, job: Job, nowMs: number): string[] {
  const time = (atMs: number) => `${formatTime(atMs)} (${formatAge(atMs, nowMs)})`;
  const { priority, deadlineMs } = job;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['queue', priority === 0 ? job.queue : `${job.queue}, priority ${priority}`],
    ['tenant', job.tenant || undefined],
    ['submitted', time(job.submittedAtMs)],
    ['deadline', deadlineMs === undefined ? undefined : time(deadlineMs)],
    ['attempts', attemptsText(job)],
    ['retry count', String(job.retryCount)],
    ['error class', job.errorClass],
    ['policy', job.policyId],
    ['unique key', job.uniqueKey],
    ['limit key', job.limitKey],
    ['tags', job.tags.join(', ') || undefined],
    ['session', job.sessionId === job.id ? undefined : job.sessionId],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${screen.paint('cyan', name.padEnd(11))} ${printable(value)}`],
  );
}

/** `3, of which 2 count towards 8`, and of which generation. */
function attemptsText({ account, attempts }: Job): string {
  const max = attempts.kept.at(-1)?.maxAttempts;
  const towards = max === undefined ? '' : ` towards ${max}`;
  const generation = account.generation === 1 ? '' : `, in generation ${account.generation}`;
  return `${account.claims}, of which ${chargedAttempts(account)} count${towards}${generation}`;
}

function payloadText(payload: Payload): string {
  return payload.kind === 'json' ? payload.text : `${payload.bytes.length} bytes`;
}

function resultText({ result, resultOmittedBytes }: Job): string | undefined {
  return resultOmittedBytes === undefined ? result : `left out: ${resultOmittedBytes} bytes`;
}

function bodyLines(screen: Screen, name: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const isLong = text.length > MAX_BODY;
  const cut = isLong ? `${text.slice(0, MAX_BODY)}… (${text.length} characters)` : text;
  const lines = wrapWords(printable(cut), screen.columns - 2);
  return ['', screen.paint('cyan', name), ...lines.map((line) => `  ${line}`)];
}
