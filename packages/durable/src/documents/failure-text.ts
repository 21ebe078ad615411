import { commandText } from '@redrive/core/fields';
import { causeName } from '../control/parked-cause.ts';
import type { Failure } from '../failing/group-failures.ts';
import { countText } from './job-counts.ts';
import { ageText } from './times.ts';

/** Handlers that are named; the rest is counted. */
const MAX_HANDLERS = 3;

/** The pattern of its errors. Without one: the causes that its jobs are parked under. */
export function causeText({ pattern, causes }: Failure): string {
  return errorWords(pattern) || `parked under ${causes.map(causeName).join(', ')}`;
}

/** A longer error is cut in a sentence; the list of causes has the whole. */
const MAX_ERROR_LENGTH = 200;

/** The newest error of a cause as its handler wrote it: a pattern such as `answered <n>` tells a reader nothing. */
export function lastErrorText(failure: Failure): string {
  const { lastError } = failure;
  if (lastError === undefined) return causeText(failure);
  const named = /^(?:Error$|verdict:)/.test(lastError.type) ? '' : `${lastError.type}: `;
  const text = `${named}${lastError.message}`.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return causeText(failure);
  return `Last error: ${text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH)}…` : text}`;
}

/** `12 retrying, 30 parked, 1 dead` */
export function failureSizes({ retrying, parked, dead, bounded }: Failure): string {
  const parts = [
    [retrying, 'retrying'],
    [parked, 'parked'],
    [dead, 'dead'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${countText(count, bounded)} ${word}`)
    .join(', ');
}

/** `charge, refund` */
export function handlersText({ handlers }: Pick<Failure, 'handlers'>): string {
  const rest = handlers.length - MAX_HANDLERS;
  const named = handlers.slice(0, MAX_HANDLERS).join(', ') || 'jobs';
  return rest > 0 ? `${named} and ${rest} more handlers` : named;
}

/** Looks at the dependency that is down, the newest dead letter, or the job that failed last. */
export function nextCommand({ causes, dependency, letterId, jobId }: Failure): string {
  if (causes.some((cause) => cause.startsWith('gate:'))) return 'redrive gates list';
  if (dependency !== undefined) return commandText`redrive breakers show ${dependency}`;
  if (letterId !== undefined) return commandText`redrive dlq show ${letterId}`;
  return jobId === undefined ? 'redrive park list' : commandText`redrive jobs show ${jobId}`;
}

interface Who {
  readonly sinceMs: number;
  readonly by: string;
  readonly why?: string | undefined;
}

/** `3 min ago by eve: wrong invoices` */
export function whoText({ sinceMs, by, why }: Who, nowMs: number): string {
  return `${ageText(sinceMs, nowMs)} by ${by}${why === undefined ? '' : `: ${why}`}`;
}

const VERDICTS: Readonly<Record<string, string>> = {
  retry_after: 'retryAfter',
  dead_letter: 'deadLetter',
};

/** Of a program that ended with one of the exit codes that mean something. */
const EXITED: Readonly<Record<string, string>> = { final: 'final', retry_after: 'rate-limited' };

/**
 * An error with its message, or the pattern of one, for people. The stored type of an error that a handler returned
 * instead of throwing is `verdict:final`: it is shown as `returned final`, and of a program as `exited with 64 (final)`.
 */
export function errorWords(text: string): string {
  const [, verdict = '', said, code] =
    /^verdict:(\w+): (.*) \(exit code (\d+)\)$/s.exec(text) ?? [];
  const meaning = EXITED[verdict];
  if (meaning !== undefined) return `exited with ${code} (${meaning}): ${said}`;
  return text.replace(/^verdict:(\w+)/, (_, kind: string) => `returned ${VERDICTS[kind] ?? kind}`);
}
