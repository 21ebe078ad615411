import * as z from 'zod';
import { action } from '../action/action.ts';
import { flag, nameText } from '../action/scalars.ts';
import { findPolicy, sideOf, slipOf } from './find-policy.ts';
import { explanation, plot, policyDiff, policyList, policyValues } from './policy-answer.ts';
import { EXPLANATION, PLOT, POLICY_DIFF, POLICY_LIST, POLICY_VALUES } from './policy-schema.ts';
import { REVIEW } from './review-schema.ts';

/** Policies belong to no tenant, and are no part of the store. */
const LOOK = { role: 'viewer', tenants: true, uses: 'config' } as const;
const POLICY = nameText().describe(
  'a policy id, a category (NATS_CONNECT) or a subsystem path (browser.state_operations.timeout)',
);
const REFUSALS = { no_match: 'no policy, category or path has that name' };
const MAX_PLOTTED = 20;

/** The policies of the configuration in force. They are changed in `redrive.yaml` and nowhere else. */
export const POLICIES = {
  list: action({
    ...LOOK,
    at: 'GET /v1/policies',
    summary: 'list every policy: those of the file, then those of the presets',
    input: z.strictObject({}),
    answer: POLICY_LIST,
    run: async ({ config }) => policyList(await config()),
  }),

  show: action({
    ...LOOK,
    at: 'GET /v1/policies/:policy',
    summary: 'print every value of a policy and where it came from',
    details: 'Names and units are those of the file: times are seconds.',
    refusals: REFUSALS,
    input: z.strictObject({ policy: POLICY }),
    answer: POLICY_VALUES,
    run: async ({ config }, { policy }) => policyValues(findPolicy(await config(), policy)),
  }),

  explain: action({
    ...LOOK,
    at: 'GET /v1/policies/:policy/explain',
    summary: 'say which policy applies, how long each wait is and when it gives up',
    refusals: REFUSALS,
    input: z.strictObject({ policy: POLICY }),
    answer: EXPLANATION,
    run: async (context, { policy: name }) => {
      const config = await context.config();
      const found = findPolicy(config, name);
      const slip = slipOf(config, name, found);
      if (slip !== undefined) context.warn(slip);
      return explanation(config, found);
    },
  }),

  plot: action({
    ...LOOK,
    at: 'GET /v1/policies/plot',
    summary: 'draw the wait before each attempt, with its jitter band',
    refusals: REFUSALS,
    input: z.strictObject({
      names: z
        .union([z.array(nameText()), nameText()])
        .transform((given) => (typeof given === 'string' ? given.split(',') : given))
        .refine(({ length }) => length <= MAX_PLOTTED, `are more than ${MAX_PLOTTED} names.`)
        .describe(`at most ${MAX_PLOTTED} policies; a text has commas between them`),
      scale: z
        .enum(['auto', 'linear', 'log'])
        .default('auto')
        .describe('linear, log or auto (log where waits differ a lot)'),
    }),
    answer: PLOT,
    run: async (context, { names, scale }) => {
      const config = await context.config();
      return plot(
        names.map((name) => findPolicy(config, name).policy),
        scale,
      );
    },
  }),

  // Of all tenants.
  review: action({
    at: 'GET /v1/policies/review',
    summary:
      'review policies by the attempts of the last 7 days: at most an hour old; with renew, made now',
    role: 'viewer',
    reads: 'sessions',
    input: z.strictObject({
      renew: flag.default(false).describe('make it now, however old the last one is'),
    }),
    answer: REVIEW,
    run: async (context, { renew }) => {
      const { policyReview } = await import('./policy-review.ts');
      return policyReview(context, renew);
    },
  }),

  diff: action({
    ...LOOK,
    at: 'GET /v1/policies/diff',
    summary: 'compare two policies: the fields and the waits that differ',
    details:
      'Only the behaviour is compared, not ids, names and descriptions. A server knows the policies of its own configuration alone, and no files.',
    refusals: { no_match: 'one of the policies does not exist' },
    input: z.strictObject({
      a: nameText().describe('a policy, category or path; or file:policy'),
      b: nameText().describe('the policy to compare it with; or file:policy'),
    }),
    answer: POLICY_DIFF,
    verdict: ({ equal }) => (equal ? 'ok' : 'differs'),
    run: async (context, { a, b }) =>
      policyDiff(await sideOf(context, a), await sideOf(context, b)),
  }),
};
