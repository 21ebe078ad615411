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
  return Object.entries(record(config.sections.load)).flatMap(([dependency, declared]) => {
    const { utilisation } = record(declared);
    const layers = layersIn(declared);
    if (typeof utilisation !== 'number') return [];
    const factors = multiplying(layers.map((name) => factorOf(config, name)));
    const product = factors.reduce((all, { factor }) => all * factor, 1);
    const demand = utilisation * product;
    if (demand < 1) return [];
    const sum = factors.map(({ text }) => text).join(' × ');
    const message = `${dependency}: ${utilisation} × ${sum} = ${round(demand)}, which is not below 1: retries would keep an overload going after its cause is gone. ${sentence(worstCase(config, dependency, layers).text)}`;
    const advice =
      'retry in one layer only, give the policies a dependency (and so a budget), or lower max_attempts';
    return [finding('unstable_retries', content.placeOf(['load', dependency]), message, advice)];
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
