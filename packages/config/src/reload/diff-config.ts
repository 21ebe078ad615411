import { POLICY_FIELD_DOCS } from '@redrive/core/fields';
import { hashPolicy } from '@redrive/core/records';
import { type Config, type ConfiguredPolicy, isRecord, type PolicyField } from '../config.ts';
import { causeOrder } from '../settings/causes-settings.ts';
import { maskUrls } from '../settings/store-settings.ts';

/** One difference, in the names and units of the file. */
export type DiffEntry =
  | { readonly kind: 'added'; readonly path: string; readonly after: string }
  | { readonly kind: 'removed'; readonly path: string; readonly before: string }
  | {
      readonly kind: 'changed';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    };

/** The differences between two configurations. */
export interface ConfigDiff {
  /** By path: defaults, policies, mappings, sections. At most `MAX_DIFF_ENTRIES`. */
  readonly entries: readonly DiffEntry[];
  /** How many more there are. */
  readonly omitted: number;
}

/** A diff is for people and goes into records: a file that was replaced whole is not repeated in it. */
export const MAX_DIFF_ENTRIES = 200;
const MAX_VALUE_LENGTH = 200;
/** Files are not deeper than this, and what is deeper is compared as text. */
const MAX_SECTION_DEPTH = 8;

/**
 * Compares what two configurations say: policies field by field, an added or removed policy with what was said about it,
 * mappings and sections by path. Where a value came from and how the file spells it do not count. Pure.
 */
export function diffConfig(before: Config, after: Config): ConfigDiff {
  const entries = [
    ...diffFields('global_defaults', before.defaults, after.defaults),
    ...diffMaps(before.policies, after.policies, (id, old, now) => {
      const path = `policies.${id}`;
      if (old && now) return diffFields(path, old, now);
      return old ? [removed(path, summaryOf(old))] : now ? [added(path, summaryOf(now))] : [];
    }),
    ...diffMaps(before.mappings, after.mappings, (path, old, now) =>
      diffValues(`subsystem_mappings.${path}`, old, now),
    ),
    ...diffTrees('', before.sections, after.sections, 0),
    ...diffOrder(causeOrder(before), causeOrder(after)),
  ];
  const kept = entries.slice(0, MAX_DIFF_ENTRIES);
  return Object.freeze({ entries: Object.freeze(kept), omitted: entries.length - kept.length });
}

/** A diff as lines for people: `~ policies.orders.max_attempts: 3 → 5`. */
export function renderDiff({ entries, omitted }: ConfigDiff): string[] {
  const lines = entries.map((entry) => {
    if (entry.kind === 'added') return `+ ${entry.path}: ${entry.after}`;
    if (entry.kind === 'removed') return `- ${entry.path}: ${entry.before}`;
    return `~ ${entry.path}: ${entry.before} → ${entry.after}`;
  });
  return omitted === 0 ? lines : [...lines, `… and ${omitted} more`];
}

const added = (path: string, after: string): DiffEntry => ({ kind: 'added', path, after });
const removed = (path: string, before: string): DiffEntry => ({ kind: 'removed', path, before });

/** Only for rules that both have: an added one has a line already. */
function diffOrder(before: readonly string[], after: readonly string[]): DiffEntry[] {
  const old = before.filter((name) => after.includes(name)).join(', ');
  const now = after.filter((name) => before.includes(name)).join(', ');
  return diffValues('causes (order)', old, now);
}

function diffFields(path: string, before: ConfiguredPolicy, after: ConfiguredPolicy): DiffEntry[] {
  return hashPolicy(before.policy) === hashPolicy(after.policy)
    ? []
    : FIELDS.flatMap(([field, name]) =>
        diffValues(`${path}.${name}`, inFile(before, field), inFile(after, field)),
      );
}

/** The fields that files have, with the name that they have there. The table of core lists the fields of a policy. */
const FIELDS = Object.entries(POLICY_FIELD_DOCS).flatMap(([field, { file }]) =>
  file === undefined || file === 'id' ? [] : [[field as PolicyField, file] as const],
);

/** The value in the file's unit. */
function inFile({ policy }: ConfiguredPolicy, field: PolicyField): unknown {
  const value = policy[field];
  const { unit } = POLICY_FIELD_DOCS[field];
  if (typeof value !== 'number') return value;
  if (value === Infinity) return 'none';
  return unit === undefined ? value : value / 1_000;
}

/** The values of a policy that are not defaults. */
function summaryOf(policy: ConfiguredPolicy): string {
  const said = FIELDS.filter(([field]) => policy.sources[field].kind !== 'default');
  return said.map(([field, name]) => `${name} ${shown(inFile(policy, field))}`).join(', ');
}

function diffMaps<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  compare: (key: string, old: T | undefined, now: T | undefined) => DiffEntry[],
): DiffEntry[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => compare(key, before.get(key), after.get(key)));
}

function diffTrees(path: string, before: unknown, after: unknown, depth: number): DiffEntry[] {
  if (!isRecord(before) || !isRecord(after) || depth >= MAX_SECTION_DEPTH) {
    return diffValues(path, before, after);
  }
  return diffMaps(
    new Map(Object.entries(before)),
    new Map(Object.entries(after)),
    (key, old, now) => diffTrees(path === '' ? key : `${path}.${key}`, old, now, depth + 1),
  );
}

function diffValues(path: string, before: unknown, after: unknown): DiffEntry[] {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === now) return [];
  if (now === undefined) return [removed(path, shown(before))];
  if (old === undefined) return [added(path, shown(after))];
  return [{ kind: 'changed', path, before: shown(before), after: shown(after) }];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shown(value: unknown): string {
  // Diffs are recorded and logged, and a store's URL may have a password in it.
  const text = maskUrls(textOf(value) ?? '');
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
