import type { CauseDimension, RankedCause } from './rank-causes.ts';

const UNREACHABLE = /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|time-?d? ?out/i;
const REFUSED = /\b40[13]\b|unauthori[sz]ed|forbidden|denied|credential/i;

/** Dimension, text of the error, suggestion: the first rule that fits. */
const RULES: readonly (readonly [CauseDimension, RegExp, string])[] = [
  ['worker', UNREACHABLE, 'Check the network, DNS and proxy of this worker.'],
  ['worker', REFUSED, 'Check the credentials and environment variables of this worker.'],
  ['worker', /^/, 'Compare host, version and environment of this worker with the others.'],
  ['policy_version', /^/, 'Compare this version of the policy with the one before.'],
  ['tenant', REFUSED, 'Check the credentials and permissions of this tenant.'],
  ['tenant', /^/, 'Look at the data and settings of this tenant.'],
  ['payload_kind', /^/, 'Check that the handler accepts payloads of this kind.'],
  ['hour', /^/, 'Look for deployments and outages of dependencies in this hour.'],
  ['collection', /^/, 'Look at documents of this collection, and at the service behind it.'],
  ['handler', UNREACHABLE, 'Check the dependency that this handler calls.'],
  ['handler', /^/, 'Look at recent changes of this handler.'],
  ['queue', /^/, 'Look at the producers of this queue.'],
];

/** The first thing to check for a cause. */
export function suggestionFor({ values }: Pick<RankedCause, 'values'>, error: string): string {
  const fits = ([dimension, pattern]: (typeof RULES)[number]) =>
    pattern.test(error) && values.some((value) => value.dimension === dimension);
  return RULES.find(fits)?.[2] ?? '';
}
