import { createHash } from 'node:crypto';
import { type CauseRule, MAX_RULES } from '@redrive/core/stored';
import type { Controls } from '../../control/control-store.ts';
import type { SeenControl } from '../../control/seen-controls.ts';
import { documentsIn } from '../../control/update-control.ts';
import { FINGERPRINT_VERSION } from '../fingerprint.ts';
import { type CauseRules, causeRules } from './cause-rules.ts';

/** Kind `cause` of the control documents: a rule in force. Its key is the rule's name. */
export interface CauseRuleDocument {
  readonly rule: CauseRule;
  /** Its place in `redrive.yaml`. Absent: a person set it. */
  readonly place?: number | undefined;
  readonly by: string;
  readonly why?: string | undefined;
  readonly atMs: number;
}

/**
 * Kind `regroup`: the version of fingerprints and the rules for which the stored letters were last moved, or are being moved.
 * The only document has the key `causes`.
 */
export interface RegroupDocument {
  readonly version: string;
  /** A hash of each rule, in their order. */
  readonly rules: readonly string[];
  /** The bulk operation that moves the letters. Absent: none has to move. */
  readonly operation?: string | undefined;
  /** The causes that letters move to. `part:` means all parts of causes. Absent: any cause. */
  readonly to?: readonly string[] | undefined;
  readonly sinceMs: number;
}

export const REGROUP_KEY = 'causes';

/** Letters without the document were grouped by this version, without rules. */
export const NOTHING_APPLIED: RegroupDocument = { version: 'fp1', rules: [], sinceMs: 0 };

/** The rules of `redrive.yaml` come first, in their order; then those of people, the oldest first. */
export function orderedRules(documents: Iterable<CauseRuleDocument>): readonly CauseRuleDocument[] {
  return [...documents].sort(
    (a, b) =>
      (a.place ?? Infinity) - (b.place ?? Infinity) ||
      a.atMs - b.atMs ||
      (a.rule.name < b.rule.name ? -1 : 1),
  );
}

/** The rules in force, from all control documents of a store. */
export function rulesIn(controls: Pick<Controls, 'all'>): CauseRules {
  return readyRules(documentsIn(controls, 'cause').values());
}

/** The state that stored letters should have: each rule as a hash. */
export function wantedIn(
  controls: Pick<Controls, 'all'>,
): Pick<RegroupDocument, 'version' | 'rules'> {
  return { version: FINGERPRINT_VERSION, rules: rulesIn(controls).rules.map(ruleHash) };
}

export function ruleHash(rule: CauseRule): string {
  return createHash('sha256').update(JSON.stringify(rule)).digest('hex').slice(0, 16);
}

function readyRules(documents: Iterable<CauseRuleDocument>): CauseRules {
  const rules = orderedRules(documents).map(({ rule }) => rule);
  return causeRules(rules.slice(0, MAX_RULES));
}

type State = Pick<RegroupDocument, 'version' | 'rules'>;

export function isSameState(a: State, b: State): boolean {
  return a.version === b.version && a.rules.join() === b.rules.join();
}

interface View {
  of<K extends 'cause' | 'regroup'>(kind: K): ReadonlyMap<string, SeenControl<K>>;
}

/** The rules as a worker's view has them. They are made ready once for each change. */
export class RulesInView {
  readonly #view: View;
  #seen: ReadonlyMap<string, SeenControl<'cause'>> | undefined;
  #revisions = '';
  #rules = causeRules([]);
  #hashes: readonly string[] = [];

  constructor(view: View) {
    this.#view = view;
  }

  get rules(): CauseRules {
    const seen = this.#view.of('cause');
    if (seen === this.#seen) return this.#rules;
    this.#seen = seen;
    // Any other document makes a new map, too.
    const revisions = [...seen].map(([name, { revision }]) => `${name} ${revision}`).join();
    if (revisions !== this.#revisions) {
      this.#revisions = revisions;
      this.#rules = readyRules([...seen.values()].map(({ document }) => document));
      this.#hashes = this.#rules.rules.map(ruleHash);
    }
    return this.#rules;
  }

  /** Whether the stored letters were grouped by these rules, or are being moved. */
  areApplied(): boolean {
    const { rules } = this.rules;
    const { document = NOTHING_APPLIED } = this.#view.of('regroup').get(REGROUP_KEY) ?? {};
    const wanted = { version: FINGERPRINT_VERSION, rules: this.#hashes };
    return rules.length === document.rules.length && isSameState(document, wanted);
  }
}
