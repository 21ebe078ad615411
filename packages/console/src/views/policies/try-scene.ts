import { param } from '../../router.ts';
import type { PolicyFields } from './lab-calls.ts';
import type { Shown } from './rail.tsx';

const policyHref = (view: string) => (a: string, b?: string) =>
  `/policies/${view}?a=${encodeURIComponent(a)}${b ? `&b=${encodeURIComponent(b)}` : ''}`;
export const compareHref = policyHref('compare');
export const tryHref = policyHref('try');

/** Fields of B that can be changed, with the values to choose from. */
export const TRY_FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  max_attempts: undefined,
  backoff_type: ['exponential', 'linear', 'fixed', 'immediate', 'schedule'],
  base_delay: undefined,
  backoff_multiplier: undefined,
  max_delay: undefined,
  delays: undefined,
  jitter_type: ['none', 'full', 'equal', 'decorrelated', 'proportional'],
  jitter_amount: undefined,
  attempt_timeout: undefined,
  ttl: undefined,
};

export const HERD_FIELDS = [
  ['n', 'Clients', '1000'],
  ['down', 'Down for, s', '60'],
  ['cap', 'Then calls per s', '100'],
] as const;

/** Every field of a policy; of B with the changes of the URL. */
export function fieldsOf({ values }: Shown, isChanged: boolean): PolicyFields {
  const fields = values.map(({ field, value }) => {
    const text = field in TRY_FIELDS && isChanged ? (param(field) ?? '') : '';
    // No limit is `null` in documents.
    return [field, text === '' ? (value ?? Infinity) : typed(field, text)] as const;
  });
  // Without a schedule the list of waits is empty, which a policy may not have.
  return Object.fromEntries(fields.filter(([, value]) => JSON.stringify(value) !== '[]'));
}

/** Text that is no number is for the lab to refuse. */
function typed(field: string, text: string): unknown {
  if (field === 'delays') return text.split(',').map(Number);
  return Number.isNaN(Number(text)) ? text : Number(text);
}

export function herdNumbers() {
  const [clients = 0, down = 0, capacity = 0] = HERD_FIELDS.map(([name, , fallback]) =>
    Number(param(name) ?? fallback),
  );
  return { clients, down, capacity };
}

const MAX_AFTER_S = 2_592_000;

/** All clients call at once while the dependency is down; then it carries out some calls a second. */
export function herdScene(policy: PolicyFields, longestWaitMs: number): object {
  const { clients, down, capacity } = herdNumbers();
  // Until the last client must have ended.
  const after = Math.ceil(longestWaitMs / 1_000 + down + (2 * clients) / capacity + 60);
  const outages = down === 0 ? [] : [{ from: 0, for: down }];
  return {
    arrivals: { at_once: clients },
    after: Math.min(MAX_AFTER_S, after),
    dependency: { capacity, latency: { fixed: 0.02 }, outages },
    callers: { processes: clients, layers: [policy] },
  };
}
