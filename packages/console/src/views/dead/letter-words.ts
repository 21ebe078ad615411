import type { DeadLettersShowAnswer } from '@redrive/client';
import { duration, plural } from '../../format.ts';

export type LetterDocument = DeadLettersShowAnswer;
export type LetterAttempt = LetterDocument['redrive']['attempts'][number];

/** Why it was given up, in one sentence. */
export function verdictOf({ redrive, attempt_count }: LetterDocument): string {
  const { reason_code: reason, policy } = redrive;
  switch (reason) {
    case 'max_attempts_exceeded':
      return `Gave up after ${attempt_count} of ${plural(policy?.max_attempts ?? attempt_count, 'attempt')}.`;
    case 'final_error':
      return 'Not retried: a final error.';
    case 'ttl_exceeded':
      return 'Gave up: its deadline passed.';
    case 'lease_lost':
      return `Gave up: its worker was lost in ${plural(attempt_count, 'attempt')}.`;
    case 'effect_unknown':
      return 'Not retried: its last attempt may have had an effect.';
    case null:
      return 'Gave up.';
    default:
      return `Gave up: ${reason}.`;
  }
}

/** The advice for a dead letter. */
export function adviceFor({ redrive, came_back }: LetterDocument): string {
  const { attempts, generation, reason_code } = redrive;
  if (came_back) {
    return `It was requeued ${plural(generation - 1, 'time')} and died again: correct the input or the service first.`;
  }
  const errors = new Set(attempts.flatMap(({ error }) => (error ? [error.message] : [])));
  if (reason_code === 'effect_unknown')
    return 'Find out whether the effect happened, then requeue the letter.';
  if (attempts.length > 1 && errors.size === 1) {
    return 'Each attempt failed with the same error. Correct the input or the service, then requeue the letter.';
  }
  return 'Correct the input or the service, then requeue the letter.';
}

/** `max_attempts_exceeded: gave up`, `retryable_error: retry after 983 ms` */
export function decisionText({ reason, next_delay }: LetterAttempt): string {
  return `${reason}: ${next_delay === null ? 'gave up' : `retry after ${duration(next_delay * 1_000)}`}`;
}
