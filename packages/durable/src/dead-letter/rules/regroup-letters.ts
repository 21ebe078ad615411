import { createHash } from 'node:crypto';
import type { CauseRule } from '@redrive/core/stored';
import type { Controls } from '../../control/control-store.ts';
import { isOver } from '../../control/rules/bulk-progress.ts';
import { documentsIn, updateControl } from '../../control/update-control.ts';
import { progressIn } from '../../operation/stored-progress.ts';
import { submitOperation } from '../../operation/submit-operation.ts';
import type { Actor } from '../../store/commands.ts';
import type { FullStore } from '../../store/full-store.ts';
import { namedCause } from './cause-rules.ts';
import { factsOf } from './regroup-page.ts';
import {
  isSameState,
  NOTHING_APPLIED,
  REGROUP_KEY,
  type RegroupDocument,
  ruleHash,
  rulesIn,
  wantedIn,
} from './rule-documents.ts';

/** More causes than this are not listed in a bulk operation: then it reads all dead letters. */
const MAX_LISTED = 500;
const NO_LIMIT = 100_000_000;

/** What a change of the rules makes of stored letters. */
export interface Regrouping {
  /** Only letters of these causes can move. Absent: all letters have to be read. */
  readonly causes?: readonly string[] | undefined;
  readonly to?: RegroupDocument['to'];
}

/**
 * Submits the bulk operation that moves the stored letters to the causes of the rules in force, if they were grouped by
 * others, or by another version of fingerprints. Its id follows from both, so any number of processes may call this, and a
 * process may end at any place: the next call continues.
 *
 * @returns the id of the bulk operation; `undefined`: no letter has to move.
 * @throws RedriveError `control_conflict`, `store_unavailable`.
 */
export async function regroupLetters(store: FullStore, actor: Actor): Promise<string | undefined> {
  const controls = await store.controls();
  const found = controls.all.find(({ kind, key }) => kind === 'regroup' && key === REGROUP_KEY);
  const applied = appliedIn(controls);
  const wanted = wantedIn(controls);
  if (isSameState(applied, wanted)) return undefined;
  const { rules } = rulesIn(controls);
  const { causes, to } = regroupingOf(applied, rules, wanted.version);
  const hash = createHash('sha256').update(JSON.stringify([found?.revision ?? 0, wanted]));
  const operation = causes?.length === 0 ? undefined : `regroup-${hash.digest('hex').slice(0, 16)}`;
  if (operation !== undefined) {
    const target = { filter: {}, causes, limit: NO_LIMIT };
    await submitOperation(store, { id: operation, act: 'regroup', target, actor });
  }
  const known = new Set(applied.rules);
  for (const rule of rules) if (!known.has(ruleHash(rule))) await giveTitle(store, rule, actor);
  await updateControl(store, {
    of: 'regroup',
    key: REGROUP_KEY,
    // Another process may have seen a newer rule already.
    next: (current, sinceMs) =>
      isSameState(current ?? NOTHING_APPLIED, applied)
        ? { ...wanted, operation, to, sinceMs }
        : undefined,
  });
  return operation;
}

export function appliedIn(controls: Pick<Controls, 'all'>): RegroupDocument {
  return documentsIn(controls, 'regroup').get(REGROUP_KEY) ?? NOTHING_APPLIED;
}

/** The bulk operation that moves letters by the rules in force; without one, all have moved. @throws RedriveError `store_unavailable`. */
export async function regroupingNow(
  store: FullStore,
): Promise<{ readonly nowMs: number; readonly operation?: string | undefined }> {
  const controls = await store.controls();
  const { operation = '' } = appliedIn(controls);
  const { progress } = progressIn(controls, operation) ?? {};
  const isMoving = progress !== undefined && !isOver(progress);
  return { nowMs: controls.nowMs, operation: isMoving ? operation : undefined };
}

/** Rules that were added behind all others change letters of the causes that they name, and no others. Pure. */
export function regroupingOf(
  applied: Pick<RegroupDocument, 'version' | 'rules'>,
  rules: readonly CauseRule[],
  version: string,
): Regrouping {
  const added = rules.slice(applied.rules.length);
  const isAppended =
    applied.version === version &&
    applied.rules.every((hash, at) => rules[at] !== undefined && ruleHash(rules[at]) === hash);
  const isNamed = ({ fingerprints = [] }: CauseRule) => fingerprints.length > 0;
  if (!isAppended || !added.every(isNamed)) return {};
  const causes = [...new Set(added.flatMap(changedBy))];
  if (causes.length > MAX_LISTED) return {};
  return { causes, to: [...new Set(added.map(targetOf))] };
}

/** The causes whose letters a rule can move. Those that are in its target already stay there. */
function changedBy(rule: CauseRule): readonly string[] {
  const { fingerprints = [] } = rule;
  return splits(rule) ? fingerprints : fingerprints.filter((each) => each !== targetOf(rule));
}

function splits({ splitBy, splitPattern }: CauseRule): boolean {
  return splitBy !== undefined || splitPattern !== undefined;
}

function targetOf(rule: CauseRule): string {
  return splits(rule) ? 'part:' : (rule.into ?? namedCause(rule.name).fingerprint);
}

/** Whether letters may be on their way to this cause. */
export function isMovedTo({ to }: RegroupDocument, cause: string): boolean {
  return (
    to === undefined ||
    to.some((each) => each === cause || (each === 'part:' && cause.startsWith(each)))
  );
}

/** Gives an existing cause the title of a rule. */
async function giveTitle(store: FullStore, rule: CauseRule, actor: Actor): Promise<void> {
  const { title, into, name } = rule;
  if (title === undefined || splits(rule)) return;
  await nameCause(store, into ?? namedCause(name).fingerprint, actor, title);
}

/**
 * Names the group of a cause by a title, or again as the rules in force name it. Without letters it has no group, and the
 * next letter names it.
 */
export async function nameCause(
  store: FullStore,
  fingerprint: string,
  actor: Actor,
  title?: string,
): Promise<void> {
  const { groups } = await store.deadGroups({ fingerprint }, { limit: 1 });
  const [group] = groups;
  const [letter] = group === undefined ? [] : await store.finished([group.newestId]);
  if (group === undefined || letter === undefined) return;
  const ruled = rulesIn(await store.controls()).causeOf(factsOf(letter));
  const pattern = title ?? (ruled.fingerprint === fingerprint ? ruled.pattern : group.pattern);
  if (pattern === group.pattern) return;
  const { id, account } = letter;
  const named = { fingerprint, pattern, rename: true };
  // A letter that was requeued in the meantime is no longer in the group: another call finds another one.
  await store.apply([
    { kind: 'act', act: 'regroup', id, generation: account.generation, group: named, actor },
  ]);
}
