import type { ResolvedPolicy } from '@redrive/core';
import { type Config, type ConfiguredPolicy, record } from '../config.ts';
import { attemptsOf, isStored, layersIn, worstCase } from '../explain/worst-case.ts';
import { lookUp } from '../look-up/look-up.ts';
import { finding, type Problem } from '../problem/problem.ts';
import type { LintInput } from './lint.ts';

/**
 * Attempts times layers that would sustain an overload. A server that still works on calls nobody waits for any more
 * recovers only if utilisation times the calls that one request can become is below 1: the product over the stored
 * layers and the largest layer in process of the attempts, or of 1 plus the budget's ratio where a budget bounds the
 * retries.
 */
export function lintLoad({ config, content }: LintInput): Problem[] {
  return declaredLoads(config).flatMap(({ dependency, layers, demand, sum }) => {
    if (demand < 1) return [];
    const names = layers.map(({ name }) => name);
    const message = `${dependency}: ${sum} = ${round(demand)}, which is not below 1: retries would keep an overload going after its cause is gone. ${sentence(worstCase(config, dependency, names).text)}`;
    const advice =
      'retry in one layer only, give the policies a dependency (and so a budget), or lower max_attempts';
    return [finding('unstable_retries', content.placeOf(['load', dependency]), message, advice)];
  });
}

/** A load of the section `load`, with the stability rule: retries are stable if `demand` is below 1. */
export interface DeclaredLoad {
  readonly dependency: string;
  readonly utilisation: number;
  /** Calls a second. Default 100. */
  readonly capacity: number;
  /** The outermost first. */
  readonly layers: readonly LoadLayer[];
  /** Utilisation × the calls that one request can become. */
  readonly demand: number;
  /** The same as a product: `0.8 × 4 (checkout)`. */
  readonly sum: string;
}

export interface LoadLayer {
  readonly name: string;
  readonly policy: ResolvedPolicy;
  /** Whether it is one of jobs, events or documents. */
  readonly stored: boolean;
}

/** The declared loads of a configuration. */
export function declaredLoads(config: Config): DeclaredLoad[] {
  return Object.entries(record(config.sections.load)).flatMap(([dependency, declared]) => {
    const { utilisation, capacity } = record(declared);
    if (typeof utilisation !== 'number') return [];
    const names = layersIn(declared);
    const factors = multiplying(names.map((name) => factorOf(config, name)));
    const layers = names.flatMap((name): LoadLayer[] => {
      const { policy } = lookUp(config, name);
      return policy ? [{ name, policy: policy.policy, stored: isStored(config, policy) }] : [];
    });
    return [
      {
        dependency,
        utilisation,
        capacity: typeof capacity === 'number' ? capacity : 100,
        layers,
        demand: factors.reduce((all, { factor }) => all * factor, utilisation),
        sum: [utilisation, ...factors.map(({ text }) => text)].join(' × '),
      },
    ];
  });
}

interface Factor {
  readonly factor: number;
  readonly text: string;
  readonly stored: boolean;
}

/** All calls within one attempt count their retries together: of the layers in process only the largest counts. */
function multiplying(factors: readonly Factor[]): Factor[] {
  const inProcess = factors.filter(({ stored }) => !stored);
  const largest = inProcess.toSorted((a, b) => b.factor - a.factor)[0];
  return factors.filter((each) => each.stored || each === largest);
}

function factorOf(config: Config, name: string): Factor {
  const { policy: configured } = lookUp(config, name);
  const attempts = configured === undefined ? 1 : attemptsOf(configured);
  const stored = configured !== undefined && isStored(config, configured);
  const ratio = configured && budgetRatio(config, configured);
  // A budget cannot make more of few attempts.
  return ratio !== undefined && 1 + ratio < attempts
    ? { factor: 1 + ratio, text: `${round(1 + ratio)} (${name}, budget)`, stored }
    : { factor: attempts, text: `${attempts} (${name})`, stored };
}

/** Retries per success of the budget that a policy's dependency has. Default of core: 0.2. */
function budgetRatio(config: Config, { policy }: ConfiguredPolicy): number | undefined {
  if (policy.dependency === '') return undefined;
  const { ratio } = record(record(config.sections.budgets)[policy.dependency]);
  return typeof ratio === 'number' ? ratio : 0.2;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const round = (value: number) => Number(value.toFixed(2));
