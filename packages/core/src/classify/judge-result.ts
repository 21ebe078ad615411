import type { Classification, ClassifyContext } from './classification.ts';
import { unitsToMs } from './hints.ts';
import { meaning } from './meaning.ts';

/** Says whether a returned value is a failure; nothing where it is none. */
type ResultClassifier = (value: unknown, context: ClassifyContext) => Classification | undefined;

/**
 * What a policy's `classifyResult` has against a value, if anything. Never throws: who cannot judge a value has nothing
 * against it, and plain JavaScript may answer anything, also a hint that is no number.
 */
export function judgeResult(
  classifyResult: ResultClassifier,
  value: unknown,
  context: ClassifyContext,
): Classification | undefined {
  try {
    const failure = classifyResult(value, context);
    if (!failure?.errorClass) return undefined;
    return meaning(failure.errorClass, failure.effect, unitsToMs(failure.retryAfterMs, 1));
  } catch {
    return undefined;
  }
}
