import { createHash } from 'node:crypto';
import { type CauseRule, MAX_TITLE, SPLIT_BY } from '@redrive/core/stored';
import type { DeadGroup } from '@redrive/durable/dead-letters';

/** The rule that joins causes in one that exists, or in a new one with a name. Pure. */
export function mergeRule(
  causes: readonly DeadGroup[],
  into: DeadGroup | { readonly name: string },
  title?: string,
): CauseRule {
  const fingerprints = [...new Set(causes.map(({ fingerprint }) => fingerprint))];
  if ('name' in into) return { name: into.name, title, fingerprints };
  const { fingerprint, pattern } = into;
  return {
    name: ruleName('merge', fingerprint, ...fingerprints),
    title: title ?? titleOf(pattern),
    fingerprints: fingerprints.filter((each) => each !== fingerprint),
    into: fingerprint,
  };
}

/** The rule that splits a cause by a value, or by a pattern of messages. A text without a star is a part of the message. Pure. */
export function splitRule({ fingerprint }: DeadGroup, by: string): CauseRule {
  const fingerprints = [fingerprint];
  const name = ruleName('split', fingerprint, by);
  const splitBy = SPLIT_BY.find((each) => each === by);
  if (splitBy !== undefined) return { name, fingerprints, splitBy };
  return { name, fingerprints, splitPattern: by.includes('*') ? by : `*${by}*` };
}

/** The rule that gives a cause another title. Its name follows from the cause, so the last title counts. Pure. */
export function renameRule(
  { fingerprint }: Pick<DeadGroup, 'fingerprint'>,
  title: string,
): CauseRule {
  const name = ruleName('rename', fingerprint);
  return { name, title, fingerprints: [fingerprint], into: fingerprint };
}

/** The same wish makes the same rule: a command that is repeated adds none. */
function ruleName(verb: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${verb}-${hash.slice(0, 8)}`;
}

/** Characters that a message may have and a title may not. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function titleOf(pattern: string): string {
  const text = pattern.replace(UNPRINTABLE, ' ').slice(0, MAX_TITLE).toWellFormed();
  return text.trim() === '' ? '(no text)' : text;
}
