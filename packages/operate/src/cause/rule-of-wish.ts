import { createHash } from 'node:crypto';
import type { CauseRule, DeadGroup } from '@redrive/durable/dead-letters';

const MAX_TITLE = 200;
/** The words of `--by`; anything else is a pattern. */
export const SPLIT_WORDS = ['message', 'type', 'code', 'handler'] as const;
type SplitBy = (typeof SPLIT_WORDS)[number];

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
  if (isSplitWord(by)) return { name, fingerprints, splitBy: by };
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

function isSplitWord(by: string): by is SplitBy {
  return SPLIT_WORDS.some((word) => word === by);
}

/** The same wish makes the same rule: a command that is repeated adds none. */
function ruleName(verb: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${verb}-${hash.slice(0, 8)}`;
}

/** What a pattern may have and a title may not. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function titleOf(pattern: string): string {
  const text = pattern.replace(UNPRINTABLE, ' ').slice(0, MAX_TITLE).toWellFormed();
  return text.trim() === '' ? '(no text)' : text;
}
