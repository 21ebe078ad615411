import { nearest } from '@redrive/core/fields';
import type { FileContent, FilePolicy } from '../content/file-content.ts';
import { presetOf } from '../presets/presets.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { layersOf, valueIn } from '../resolve/layers.ts';
import { fileNameOf, policyFileFields } from '../shape/policy-shape.ts';
import { checkExceptions } from './check-exceptions.ts';
import { checkExtends } from './check-extends.ts';

/** Rules that compare several values of a policy, and rules about `extends`. */
export function checkPolicies(content: FileContent): Problem[] {
  return [
    ...checkExceptions(content.globalDefaults),
    ...[...content.policies.values()].flatMap((policy) => [
      ...checkId(policy),
      ...checkExtends(policy, content),
      ...checkRequired(policy, content),
      ...checkCap(policy, content),
      ...checkDelays(policy, content),
      ...checkScheduleJitter(policy, content),
      ...checkExceptions(policy.fields),
    ]),
  ];
}

function checkId({ id, fields }: FilePolicy): Problem[] {
  const own = fields.get('id');
  if (own === undefined || own.value === id) return [];
  const message = `id must be the policy's key, ${id}, not ${own.value}`;
  return [finding('id_mismatch', own.place, message, `write id: ${id}, or leave it out`)];
}

function checkRequired(policy: FilePolicy, content: FileContent): Problem[] {
  const { layers, preset } = layersOf(content, policy.id);
  // A name collision is reported for it already; its author probably meant to extend the preset.
  if (presetOf(policy.id) !== undefined && policy.extends === undefined) return [];
  // The missing fields are unknown when the policy of `extends` does not exist.
  if (policy.extends && preset === undefined && !content.policies.has(policy.extends.name))
    return [];
  const known = [...policyFileFields().keys()];
  // A misspelt key is one mistake, not an unknown key and a missing one.
  const written = new Set([...policy.written].map((key) => nearestOrSame(key, known)));
  return [...policyFileFields().values()].flatMap(({ name, field, shape }) => {
    const isGiven = written.has(name) || layers.some((layer) => layer.has(field));
    const isNamed = name === 'name' && policy.extends !== undefined;
    if (shape.required === undefined || isGiven || isNamed) return [];
    const place = { ...policy.place, path: `policies.${policy.id}.${name}` };
    const message = `${policy.id} has no ${name}`;
    return [finding('missing_field', place, message, `add ${name}: ${EXAMPLES[name] ?? '…'}`)];
  });
}

function nearestOrSame(key: string, known: readonly string[]): string | undefined {
  return known.includes(key) ? key : nearest(key, known);
}

/** Suggested values for missing fields: the defaults of code, in the units of files. */
const EXAMPLES: Readonly<Record<string, string>> = {
  name: '"A name for people"',
  max_attempts: '3',
  backoff_type: 'exponential',
  base_delay: '1.0',
  max_delay: '30.0',
};

function checkCap(policy: FilePolicy, content: FileContent): Problem[] {
  const { layers } = layersOf(content, policy.id);
  const baseMs = valueIn(layers, 'baseDelayMs');
  const capMs = valueIn(layers, 'maxDelayMs');
  if (typeof baseMs !== 'number' || typeof capMs !== 'number' || capMs >= baseMs) return [];
  const at =
    policy.fields.get('maxDelayMs')?.place ??
    policy.fields.get('baseDelayMs')?.place ??
    policy.place;
  const [base, cap] = [baseMs / 1_000, capMs / 1_000];
  const [capName, baseName] = [fileNameOf('maxDelayMs'), fileNameOf('baseDelayMs')];
  const message = `${capName} must be at least ${baseName}, ${base}, not ${cap}`;
  return [finding('max_delay_below_base', at, message, `write ${capName}: ${base}`)];
}

/** A schedule without delays, or a delay above the cap. */
function checkDelays(policy: FilePolicy, content: FileContent): Problem[] {
  const { layers } = layersOf(content, policy.id);
  const delays = valueIn(layers, 'delaysMs');
  const own = policy.fields.get('delaysMs');
  const place = own?.place ?? { ...policy.place, path: `policies.${policy.id}.delays` };
  if (!Array.isArray(delays)) {
    const isMissing = valueIn(layers, 'backoff') === 'schedule' && !policy.written.has('delays');
    return isMissing
      ? [finding('missing_field', place, `${policy.id} has no delays`, 'add delays: [1, 5, 30]')]
      : [];
  }
  const capMs = valueIn(layers, 'maxDelayMs');
  const longestMs = Math.max(...delays.map(Number));
  if (typeof capMs !== 'number' || longestMs <= capMs) return [];
  const message = `Each entry of delays must be at most max_delay, ${capMs / 1_000}, not ${longestMs / 1_000}`;
  return [finding('delay_above_max', place, message, `write max_delay: ${longestMs / 1_000}`)];
}

function checkScheduleJitter(policy: FilePolicy, content: FileContent): Problem[] {
  const { layers } = layersOf(content, policy.id);
  const [backoff, jitter] = [valueIn(layers, 'backoff'), valueIn(layers, 'jitter')];
  if (backoff !== 'schedule' || jitter !== 'decorrelated') return [];
  const own = policy.fields.get('jitter') ?? policy.fields.get('backoff');
  const message = `${policy.id} is a schedule, and ${fileNameOf('jitter')}: decorrelated would ignore its delays`;
  const advice = `write ${fileNameOf('jitter')}: proportional`;
  return [finding('decorrelated_schedule', own?.place ?? policy.place, message, advice)];
}

const BREAKER_VALUE = /^policies\.(.+)\.circuit_breaker_(?:threshold|timeout)$/;

/** A wrong value of a breaker is an error where the breaker is on, and a warning where it is off. */
export function checkBreakerValues(wrong: readonly Problem[], content: FileContent): Problem[] {
  return wrong.map((problem) => {
    const [, id] = BREAKER_VALUE.exec(problem.path) ?? [];
    if (id === undefined || problem.code !== 'out_of_range' || isOn(id, content)) return problem;
    const message = `${problem.message}; the breaker is off, so the value is not used`;
    return { ...problem, severity: 'warning', code: 'unused_breaker_value', message };
  });
}

function isOn(id: string, content: FileContent): boolean {
  return valueIn(layersOf(content, id).layers, 'enableCircuitBreaker') === true;
}
