import { type Config, type ConfiguredPolicy, record } from '../config.ts';
import { lookUp } from '../look-up/look-up.ts';
import { durationText, explain } from './explain.ts';

/** The calls that the layers of a declared load cause if every call fails. */
export interface WorstCase {
  /** The dependency that the load is of. */
  readonly dependency: string;
  readonly layers: readonly string[];
  /** Attempts of the stored layers together. 1: there is no stored layer. */
  readonly attempts: number;
  /** Layers in process count their retries together, so this is the largest of them. 1: there is none. */
  readonly calls_per_attempt: number;
  readonly calls: number;
  /** All waits, each as long as jitter allows. */
  readonly waits_max_ms: number;
  /** `8 attempts of at most 3 calls each: 24 calls in 2 h 3 min at worst` */
  readonly text: string;
}

/** The worst cases of all declared loads that a policy is a layer of. */
export function worstCasesOf(config: Config, { id }: ConfiguredPolicy): WorstCase[] {
  return Object.entries(record(config.sections.load)).flatMap(([dependency, declared]) => {
    const layers = layersIn(declared);
    const isLayer = layers.some((name) => lookUp(config, name).policy?.id === id);
    return isLayer ? [worstCase(config, dependency, layers)] : [];
  });
}

/** The policies that a declared load names, the outermost first. */
export function layersIn(declared: unknown): readonly string[] {
  const { layers } = record(declared);
  return Array.isArray(layers) ? layers.map(String) : [];
}

/**
 * Stored layers multiply: each of their attempts begins everything inside anew. Layers in process do not, because all
 * calls within one attempt count their retries together, and a give-up inside is final for the layer around it.
 */
export function worstCase(
  config: Config,
  dependency: string,
  layers: readonly string[],
): WorstCase {
  const found = layers.flatMap((name) => lookUp(config, name).policy ?? []);
  const inProcess = found.filter((policy) => !isStored(config, policy));
  const stored = found.filter((policy) => isStored(config, policy));
  const perAttempt = Math.max(1, ...inProcess.map(attemptsOf));
  // Calls of several policies may take turns with the retries: their waits together are a bound in any order.
  let waitsMs = inProcess.map(waitsOf).reduce((sum, ms) => sum + ms, 0);
  let attempts = 1;
  for (const policy of stored.toReversed()) {
    waitsMs = waitsOf(policy) + attemptsOf(policy) * waitsMs;
    attempts *= attemptsOf(policy);
  }
  return {
    dependency,
    layers,
    attempts,
    calls_per_attempt: perAttempt,
    calls: attempts * perAttempt,
    waits_max_ms: waitsMs,
    text: textOf(attempts, perAttempt, waitsMs, stored.length > 0),
  };
}

const STORED_RUNGS = /^(?:runs|events|documents)\./;

/** Whether a policy is one of jobs, events or documents: by its name, by the preset it extends, or by a handler. */
export function isStored(config: Config, { id, preset = '' }: ConfiguredPolicy): boolean {
  if (STORED_RUNGS.test(id) || STORED_RUNGS.test(preset)) return true;
  return Object.values(record(record(config.sections.jobs).handlers)).some((handler) => {
    const { policy } = record(handler);
    return typeof policy === 'string' && lookUp(config, policy).policy?.id === id;
  });
}

/** How often a policy may run what it retries. */
export function attemptsOf({ policy }: ConfiguredPolicy): number {
  return policy.enabled ? policy.maxAttempts : 1;
}

function waitsOf(configured: ConfiguredPolicy): number {
  return Math.min(explain(configured).total_max_ms, configured.policy.ttlMs);
}

function textOf(attempts: number, perAttempt: number, waitsMs: number, hasStored: boolean) {
  const calls = `${count(attempts * perAttempt, 'call')} in ${durationText(waitsMs)} at worst`;
  if (!hasStored) return `at most ${calls}`;
  const each = attempts === 1 ? '' : ' each';
  return perAttempt === 1
    ? `${count(attempts, 'attempt')}: ${calls}`
    : `${count(attempts, 'attempt')} of at most ${count(perAttempt, 'call')}${each}: ${calls}`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
