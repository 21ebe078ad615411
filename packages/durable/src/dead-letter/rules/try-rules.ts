import type { CauseRule } from '@redrive/core/stored';
import type { FullStore } from '../../store/full-store.ts';
import { type BoundedCount, MAX_DEAD_COUNT } from '../dead-letter-store.ts';
import { FINGERPRINT_VERSION } from '../fingerprint.ts';
import { causeRules } from './cause-rules.ts';
import { regroupingOf } from './regroup-letters.ts';
import { regroupPage } from './regroup-page.ts';
import { ruleHash } from './rule-documents.ts';
import { causeRulesOf, checkRule } from './set-rules.ts';

/** What a change of the rules would do to the stored letters. */
export interface RuleTrial {
  /** Letters that would move. */
  readonly letters: BoundedCount;
  /** The causes that they have, the largest first. */
  readonly from: readonly { readonly fingerprint: string; readonly letters: number }[];
  /** The causes that they would have, the largest first. */
  readonly to: readonly TrialCause[];
}

export interface TrialCause {
  readonly fingerprint: string;
  readonly pattern: string;
  /** Letters that would arrive. */
  readonly letters: number;
  /** Letters that it has already. Absent: it is new. */
  readonly has?: BoundedCount | undefined;
}

/** Letters that a trial reads, at most. */
const MAX_READ = 10_000;
const PAGE = 1_000;
/** Causes of which a trial counts the letters that they have. */
const MAX_COUNTED = 20;

/**
 * Tries a change of the rules on the stored letters, and changes nothing. It reads at most 10,000 letters.
 *
 * @param change a rule to set (a rule of the same name is replaced), or the name of one to remove.
 * @throws RedriveError `invalid_option`, `store_unavailable`.
 */
export async function tryCauseRule(
  store: FullStore,
  change: { readonly set: CauseRule } | { readonly remove: string },
): Promise<RuleTrial> {
  const name = 'set' in change ? change.set.name : change.remove;
  if ('set' in change) checkRule(change.set);
  const before = (await causeRulesOf(store)).map(({ rule }) => rule);
  const others = before.filter((rule) => rule.name !== name);
  const rules = 'set' in change ? [...others, change.set] : others;
  const applied = { version: FINGERPRINT_VERSION, rules: before.map(ruleHash) };
  const { causes } = regroupingOf(applied, rules, FINGERPRINT_VERSION);
  const from = new Map<string, number>();
  const to = new Map<string, TrialCause>();
  const ready = causeRules(rules);
  let read = 0;
  let letters = 0;
  let after: string | undefined;
  do {
    const limit = Math.min(PAGE, MAX_READ - read);
    const page = await regroupPage(store, { filter: {}, causes }, ready, { limit, after });
    for (const { group, from: old } of page.jobs) {
      const { fingerprint, pattern } = group;
      const { letters: arrived = 0 } = to.get(fingerprint) ?? {};
      to.set(fingerprint, { fingerprint, pattern, letters: arrived + 1 });
      from.set(old, (from.get(old) ?? 0) + 1);
    }
    letters += page.jobs.length;
    read += page.seen;
    after = page.next;
  } while (after !== undefined && read < MAX_READ);
  const largest = [...to.values()].sort((a, b) => b.letters - a.letters);
  const counted = largest.slice(0, MAX_COUNTED).map(async (cause): Promise<TrialCause> => {
    const has = await store.countDead({ fingerprint: cause.fingerprint }, MAX_DEAD_COUNT);
    return has.count === 0 ? cause : { ...cause, has };
  });
  return {
    letters: { count: letters, bounded: after !== undefined },
    from: [...from]
      .map(([fingerprint, count]) => ({ fingerprint, letters: count }))
      .sort((a, b) => b.letters - a.letters),
    to: [...(await Promise.all(counted)), ...largest.slice(MAX_COUNTED)],
  };
}
