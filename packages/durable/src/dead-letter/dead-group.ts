import { isRedriveError, type ReasonCode } from '@redrive/core';
import type { ControlStore } from '../control/control-store.ts';
import type { AttemptLog } from '../job/attempt-log.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { ErrorFingerprint } from './fingerprint.ts';
import { type CauseRules, causeRules, type FailureFacts } from './rules/cause-rules.ts';
import { rulesIn } from './rules/rule-documents.ts';

const NO_RULES = causeRules([]);

/**
 * What a job was given up for after these attempts: the newest error of its newest generation, or the reason alone. Errors of
 * earlier generations do not count: an operator has sent the job back since.
 */
export function failureOf(
  handler: string,
  attempts: AttemptLog['kept'],
  reason: ReasonCode,
): FailureFacts {
  const generation = attempts.at(-1)?.generation;
  const error = attempts.findLast(
    (attempt) => attempt.generation === generation && attempt.error !== undefined,
  )?.error;
  const { type, message, code, cause } = error ?? { type: reason, message: '' };
  return { handler, type, message, code, cause };
}

/** The group of a job that was given up after these attempts. */
export function deadGroupOf(
  handler: string,
  attempts: AttemptLog['kept'],
  reason: ReasonCode,
  rules: CauseRules = NO_RULES,
): ErrorFingerprint {
  return rules.causeOf(failureOf(handler, attempts, reason));
}

/** The group of a job that is dead from the start. */
export function buriedGroupOf(
  { job, attempts, dead }: Pick<EnqueueCommand, 'job' | 'attempts' | 'dead'>,
  rules?: CauseRules,
): ErrorFingerprint {
  const reason = dead?.reason ?? 'final_error';
  return dead?.group ?? deadGroupOf(job.handler, attempts?.kept ?? [], reason, rules);
}

/** New jobs; those that are dead from the start have the causes that the rules in force give them. */
export async function buriedByRules<C extends Pick<EnqueueCommand, 'job' | 'attempts' | 'dead'>>(
  store: Pick<ControlStore, 'controls'>,
  commands: readonly C[],
): Promise<readonly C[]> {
  if (commands.every(({ dead }) => dead === undefined)) return commands;
  const rules = await rulesOf(store);
  return commands.map((command) => {
    const { dead } = command;
    return dead === undefined
      ? command
      : { ...command, dead: { ...dead, group: buriedGroupOf(command, rules) } };
  });
}

async function rulesOf(store: Pick<ControlStore, 'controls'>): Promise<CauseRules> {
  try {
    return rulesIn(await store.controls());
  } catch (error) {
    // Reads create no store: the command that follows may be its first write.
    if (isRedriveError(error, 'store_not_found')) return NO_RULES;
    throw error;
  }
}
