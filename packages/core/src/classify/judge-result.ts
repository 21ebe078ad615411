import { RedriveError } from '../errors/redrive-error.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import { answerOf } from './answer-of.ts';
import type { ClassifyContext, ErrorClass, ResultAnswer } from './classification.ts';

const CLASSES: readonly ErrorClass[] = ['final', 'retryable', 'rate_limited', 'ignored'];

/**
 * Asks `classifyResult` about a returned value. `undefined`: the value is a success. A wrong answer, which only plain
 * JavaScript can give, is an error: otherwise a failure would pass as a success. The error's cause is the value.
 */
export function judgeResult(
  { classifyResult }: Pick<ResolvedPolicy, 'classifyResult'>,
  value: unknown,
  context: ClassifyContext,
): ResultAnswer | RedriveError | undefined {
  // A function that throws does not make the value a failure. `isBusy(value) && { … }` answers `false` for a success.
  const answer = answerOf(() => classifyResult(value, context)) || undefined;
  return !answer || CLASSES.includes(answer.errorClass)
    ? answer
    : new RedriveError(
        'invalid_policy',
        `errorClass of classifyResult must be one of ${CLASSES.join(', ')}`,
        {},
        { cause: value },
      );
}
