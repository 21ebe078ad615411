import { definePolicy, type Policy } from '@redrive/core';
import { POLICY_FIELD_DOCS, POLICY_FIELDS } from '@redrive/core/fields';
import type { ConfiguredPolicy, PolicyField, ValueSource } from '../config.ts';

/** A value and where it came from; in the unit of code. */
export interface SourcedValue {
  readonly value: unknown;
  readonly source: ValueSource;
}

/** The values that one source sets for a policy. */
export type Layer = ReadonlyMap<PolicyField, SourcedValue>;

const BUILT_IN: ValueSource = { kind: 'default', where: 'built in' };

/** The fields of a policy; the types of core make sure that these are all of them. */
export const FIELD_NAMES = Object.keys(POLICY_FIELDS) as readonly PolicyField[];

/** The values that a preset sets for one of its policies. */
export function presetLayer(id: string, preset: string, policy: Policy): Layer {
  const source: ValueSource = { kind: 'preset', where: `preset ${preset}` };
  const values = Object.entries({ name: id, ...policy }).map(
    // A preset is typed as a policy, so its names are fields.
    ([field, value]) => [field as PolicyField, { value, source }] as const,
  );
  return new Map(values);
}

/**
 * Makes a policy of what several places say about it, the strongest first; the built-in defaults of files come last.
 *
 * @throws RedriveError `invalid_policy` if what came together is not a policy.
 */
export function buildPolicy(
  id: string,
  layers: readonly Layer[],
  preset?: string,
): ConfiguredPolicy {
  const all = [...layers, isEvents(id) ? EVENT_RULES : new Map(), fileDefaults()];
  const given = new Map(all.toReversed().flatMap((layer) => [...layer]));
  const values = Object.fromEntries([...given].map(([field, { value }]) => [field, value]));
  const sources = FIELD_NAMES.map((field) => [field, given.get(field)?.source ?? BUILT_IN]);
  return Object.freeze({
    id,
    policy: definePolicy({ ...values, id }),
    ...(preset === undefined ? {} : { preset }),
    // It has an entry for every field, because it was made from the list of fields.
    sources: Object.freeze(Object.fromEntries(sources)) as ConfiguredPolicy['sources'],
  });
}

const isEvents = (id: string) => id.startsWith('events.');

/** Holds for every policy of events, also for one that extends no preset. */
const EVENT_RULES: Layer = new Map([
  ['unclassified', { value: 'final', source: { kind: 'preset', where: 'preset events' } }],
]);

/** Where files have another default than code. */
function fileDefaults(): Layer {
  return new Map(
    FIELD_NAMES.flatMap((field) => {
      const { fileDefault } = POLICY_FIELD_DOCS[field];
      return fileDefault === undefined ? [] : [[field, { value: fileDefault, source: BUILT_IN }]];
    }),
  );
}
