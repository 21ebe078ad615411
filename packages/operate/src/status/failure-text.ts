import { commandText } from '@redrive/core/fields';
import { ageText, causeName, countText, errorWords, type Failure } from '@redrive/durable/store';

/** Handlers that are named; the rest is counted. */
const MAX_HANDLERS = 3;

/** The pattern of its errors. Without one: the causes that its jobs are parked under. */
export function causeText({ pattern, causes }: Pick<Failure, 'pattern' | 'causes'>): string {
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
export function failureSizes({
  retrying,
  parked,
  dead,
  bounded,
}: Pick<Failure, 'retrying' | 'parked' | 'dead' | 'bounded'>): string {
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

/** Who did something, as it is stored or as an answer has it. */
type Who = {
  readonly by: string;
  readonly why?: string | null | undefined;
} & ({ readonly sinceMs: number } | { readonly since: string });

/** `3 min ago by eve: wrong invoices` */
export function whoText(who: Who, nowMs: number): string {
  const { by, why } = who;
  const sinceMs = 'since' in who ? Date.parse(who.since) : who.sinceMs;
  return `${ageText(sinceMs, nowMs)} by ${by}${why ? `: ${why}` : ''}`;
}
