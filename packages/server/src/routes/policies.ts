import {
  type Config,
  explain,
  type LookUp,
  lookUp,
  parseConfig,
  worstCasesOf,
} from '@redrive/config';
import {
  configDocument,
  diffDocument,
  fittingScale,
  listedPolicies,
  plotDocument,
  policyDocument,
  policyJson,
  validationDocument,
} from '@redrive/config/documents';
import * as z from 'zod';
import { document } from '../inputs.ts';
import { Problem } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';

const name = z.string().min(1).max(512);
/** Of a configuration, and a byte more, so that its own check refuses the rest. */
const MAX_TEXT = 256 * 1024 + 1;

/** Policies belong to no tenant, and are no part of the store. */
const LOOK = { role: 'viewer', tenants: true } as const;

/** Policies and the configuration in force. They are changed in `redrive.yaml` and nowhere else. */
export const POLICY_ROUTES: readonly AnyRoute[] = [
  route({
    ...LOOK,
    at: 'GET /v1/policies',
    summary: 'list every policy: those of the file, then those of the presets',
    input: z.strictObject({}),
    answer: document({ policies: z.array(z.looseObject({ id: z.string() })) }),
    handle: async ({ config }) => {
      const policies = listedPolicies(config).map(policyJson);
      return { policies, file: config.file ?? null, next: null };
    },
  }),
  route({
    ...LOOK,
    at: 'GET /v1/policies/diff',
    summary: 'compare two policies: the fields and the waits that differ',
    input: z.strictObject({ a: name, b: name }),
    answer: document({ equal: z.boolean() }),
    handle: async ({ config, input }) => {
      const [a, b] = [found(config, input.a).policy, found(config, input.b).policy];
      return diffDocument({ label: a.id, policy: a }, { label: b.id, policy: b });
    },
  }),
  route({
    ...LOOK,
    at: 'GET /v1/policies/plot',
    summary: 'the waits of at most ten policies; names are separated by commas',
    input: z.strictObject({ names: name }),
    answer: document({ scale: z.string() }),
    handle: async ({ config, input }) => {
      const names = input.names.split(',').slice(0, 10);
      const policies = names.map((one) => found(config, one).policy);
      const delays = policies.flatMap((policy) => explain(policy).delays_ms);
      return plotDocument(fittingScale(delays), policies);
    },
  }),
  route({
    ...LOOK,
    at: 'GET /v1/policies/:policy',
    summary: 'every value of a policy and where it came from',
    input: z.strictObject({ policy: name }),
    answer: document({ id: z.string() }),
    handle: async ({ config, input }) => policyDocument(found(config, input.policy)),
  }),
  route({
    ...LOOK,
    at: 'GET /v1/policies/:policy/explain',
    summary: 'the delays of a policy, by its id, a category or a subsystem path',
    input: z.strictObject({ policy: name }),
    answer: document({ id: z.string() }),
    handle: async ({ config, input }) => {
      const { policy, ...how } = found(config, input.policy);
      return { ...explain(policy, how), worst_cases: worstCasesOf(config, policy) };
    },
  }),
  route({
    at: 'POST /v1/config/validate',
    summary: 'check a text as a configuration, without the environment; changes nothing',
    role: 'viewer',
    heavy: true,
    tenants: true,
    input: z.strictObject({ text: z.string().max(MAX_TEXT) }),
    answer: document({ valid: z.boolean(), problems: z.array(z.looseObject({})) }),
    handle: async ({ input }) => validationDocument(parseConfig(input.text)),
  }),
  route({
    at: 'GET /v1/config',
    summary:
      'the configuration in force, passwords masked: values that were set; with effective, all values',
    role: 'viewer',
    reads: 'metrics',
    input: z.strictObject({ effective: z.stringbool().default(false) }),
    answer: document({ hash: z.string(), values: z.array(z.looseObject({ path: z.string() })) }),
    handle: async ({ config, input }) => configDocument(config, input),
  }),
];

/** By its id, a category or a subsystem path. @throws Problem 404 */
function found(config: Config, wanted: string): LookUp {
  const answer = lookUp(config, wanted);
  if (answer.policy !== undefined) return answer;
  throw new Problem(404, 'not_found', answer.message);
}
