import { RedriveError } from '@redrive/core';
import { type CauseRule, MAX_RULES, ruleProblems } from '@redrive/core/stored';
import { controlNote, documentsIn, updateControl } from '../../control/update-control.ts';
import { type Actor, keptWhy } from '../../store/commands.ts';
import type { FullStore } from '../../store/full-store.ts';
import { EXPIRED_GROUP } from '../fingerprint.ts';
import { namedCause } from './cause-rules.ts';
import { nameCause, regroupLetters } from './regroup-letters.ts';
import { type CauseRuleDocument, orderedRules } from './rule-documents.ts';

/** A change of the rules: the letters that died before follow in the background. */
export interface RuleChange {
  readonly rule: CauseRule;
  /** The bulk operation that moves the letters. Absent: none has to move. */
  readonly operation?: string | undefined;
}

/** The rules in force, in their order. @throws RedriveError `store_unavailable`. */
export async function causeRulesOf(store: FullStore): Promise<readonly CauseRuleDocument[]> {
  return orderedRules(documentsIn(await store.controls(), 'cause').values());
}

/**
 * Sets a rule of causes, or changes it. Workers apply it to new dead letters within a second; a bulk operation moves the
 * letters that died before.
 *
 * ```ts
 * await setCauseRule(store, {
 *   rule: { name: 'declined-cards', messages: ['*card*declined*'] },
 *   actor: { name: 'eve', why: 'one cause at two providers' },
 * });
 * ```
 *
 * @throws RedriveError `invalid_option`: with every problem of the rule, or it is a rule of `redrive.yaml`, or there are too
 *   many; `control_conflict`; `store_unavailable`.
 */
export async function setCauseRule(
  store: FullStore,
  { rule, actor }: { readonly rule: CauseRule; readonly actor: Actor },
): Promise<RuleChange> {
  checkRule(rule);
  const documents = await causeRulesOf(store);
  const before = documents.find((each) => each.rule.name === rule.name);
  if (before?.place !== undefined) throw ofFile(rule.name);
  if (before === undefined && documents.length >= MAX_RULES) throw tooMany();
  await write(store, rule, actor, undefined);
  return { rule, operation: await regroupLetters(store, actor) };
}

/**
 * Removes a rule: its letters go back to the causes that they have without it.
 *
 * A worker that starts with a `redrive.yaml` that has the rule sets it again.
 *
 * @throws RedriveError `cause_rule_not_found`, `control_conflict`, `store_unavailable`.
 */
export async function removeCauseRule(
  store: FullStore,
  { name, actor }: { readonly name: string; readonly actor: Actor },
): Promise<RuleChange> {
  const before = documentsIn(await store.controls(), 'cause').get(name);
  if (before === undefined) {
    throw new RedriveError('cause_rule_not_found', `There is no rule of causes ${name}`, { name });
  }
  await remove(store, name, actor);
  const operation = await regroupLetters(store, actor);
  await takeTitle(store, before.rule, actor);
  return { rule: before.rule, operation };
}

/**
 * Puts the rules of `redrive.yaml` in force: they come before the rules of people, in their order. Rules of the file that
 * are not in it any more are removed.
 *
 * @throws RedriveError as `setCauseRule`.
 */
export async function applyFileRules(
  store: FullStore,
  { rules, actor }: { readonly rules: readonly CauseRule[]; readonly actor: Actor },
): Promise<string | undefined> {
  for (const rule of rules) checkRule(rule);
  if (rules.length > MAX_RULES) throw tooMany();
  const documents = documentsIn(await store.controls(), 'cause');
  const names = new Set(rules.map(({ name }) => name));
  const removed = [...documents].filter(
    ([name, { place }]) => place !== undefined && !names.has(name),
  );
  const changed = [...rules.entries()].filter(([place, rule]) => {
    const before = documents.get(rule.name);
    return before === undefined || !isSame(before, rule, place);
  });
  for (const [name] of removed) await remove(store, name, actor);
  for (const [place, rule] of changed) await write(store, rule, actor, place);
  const operation = await regroupLetters(store, actor);
  const earlier = changed.flatMap(([, { name }]) => documents.get(name) ?? []);
  for (const { rule } of [...removed.map(([, document]) => document), ...earlier])
    await takeTitle(store, rule, actor);
  return operation;
}

/** Names the cause of a rule that is no longer in force as the other rules do. */
async function takeTitle(store: FullStore, rule: CauseRule, actor: Actor): Promise<void> {
  if (rule.title === undefined) return;
  await nameCause(store, rule.into ?? namedCause(rule.name).fingerprint, actor);
}

async function write(
  store: FullStore,
  rule: CauseRule,
  actor: Actor,
  place: number | undefined,
): Promise<void> {
  await updateControl(store, {
    of: 'cause',
    key: rule.name,
    next: (current, atMs) =>
      current !== undefined && isSame(current, rule, place)
        ? undefined
        : { rule, place, by: actor.name, why: keptWhy(actor.why), atMs },
    note: () => controlNote(actor, 'set', { rule }),
  });
}

function isSame(document: CauseRuleDocument, rule: CauseRule, place: number | undefined): boolean {
  return document.place === place && JSON.stringify(document.rule) === JSON.stringify(rule);
}

async function remove(store: FullStore, name: string, actor: Actor): Promise<void> {
  await updateControl(store, {
    of: 'cause',
    key: name,
    next: () => null,
    note: (before) => controlNote(actor, 'remove', { rule: before?.rule }),
  });
}

/** @throws RedriveError `invalid_option` with every problem at once. */
export function checkRule(rule: CauseRule): void {
  const problems = ruleProblems(rule).map(({ message }) => message);
  if (rule.fingerprints?.includes(EXPIRED_GROUP.fingerprint))
    problems.push('letters whose deadline passed before an attempt are a cause of their own');
  if (problems.length === 0) return;
  throw new RedriveError('invalid_option', `Rule of causes ${rule.name}: ${problems.join('; ')}`, {
    problems,
  });
}

function ofFile(name: string): RedriveError {
  const message = `The rule of causes ${name} is from redrive.yaml: change it there`;
  return new RedriveError('invalid_option', message, { name });
}

function tooMany(): RedriveError {
  return new RedriveError('invalid_option', `There may be at most ${MAX_RULES} rules of causes`);
}
