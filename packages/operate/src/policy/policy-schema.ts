import * as z from 'zod';

/** The least facts that a policy is named and drawn by. */
const SHAPE = {
  enabled: z.boolean().describe('false: one attempt'),
  max_attempts: z.number().describe('the first call included'),
  jitter_type: z.string().describe('how waits are spread'),
  jitter_amount: z.number().describe('the share of a wait that jitter may move'),
};
const ID = z.string().describe('the policy that was found');
const PRESET = z.string().nullable().describe('the preset policy that it is or extends');
const TTL = z.number().nullable().describe('the limit of the whole session; null: none');
const BACKOFF = z.string().describe('how waits grow');

/** How a policy was found. */
const FOUND = {
  name: z.string().describe('the name for people'),
  matched_by: z
    .enum(['policy', 'category', 'path', 'group_default', 'global_defaults'])
    .describe('the rule that found it'),
  rule: z.string().describe('the same rule in words'),
  preset: PRESET,
};

const SOURCE = z
  .enum(['flag', 'environment', 'file', 'preset', 'default'])
  .describe('the kind of source: flag, environment, file, preset or default');
const WHERE = z.string().describe('the source: `redrive.yaml:12`, a variable, a preset');
const VALUE = z.unknown().describe('any JSON, in the unit of the file; null is "no limit"');
const UNIT = z.enum(['seconds']).nullable().describe('unit of a number');

const SPAN = {
  nominal: z.number().describe('the wait before jitter, in whole ms'),
  min: z.number().describe('the least that jitter may make of it'),
  max: z.number().describe('the most that jitter may make of it'),
};
const ATTEMPT = z.number().describe('the attempt that follows the wait');
const DELAYS = z
  .array(z.object({ attempt: ATTEMPT, ...SPAN }))
  .describe('one per wait; at most 1,000');

export const POLICY_LIST = z.object({
  file: z.string().nullable().describe('the configuration file; null: the presets alone'),
  policies: z
    .array(
      z.object({
        id: z.string().describe('the id that look-ups and mappings use'),
        name: FOUND.name,
        preset: PRESET,
        ...SHAPE,
        backoff_type: BACKOFF,
        base_delay_ms: z.number().describe('the base of all waits'),
        first_wait_ms: z.number().describe('the wait after the first failure, before jitter'),
        max_delay_ms: z.number().describe('the cap of every wait'),
        ttl_ms: TTL,
      }),
    )
    .describe("the file's first, then the presets'"),
  next: z.null().describe('always null: there is one page'),
});

export const POLICY_VALUES = z.object({
  id: ID,
  ...FOUND,
  values: z
    .array(
      z.object({
        field: z.string().describe('its name in files'),
        value: VALUE,
        unit: UNIT,
        source: SOURCE,
        where: WHERE,
      }),
    )
    .describe('one per field, in the order of the file format'),
});

const WORST_CASE = z.object({
  dependency: z.string().describe('the dependency of the load'),
  layers: z.array(z.string()).describe('the policies, the outermost first'),
  attempts: z.number().describe('attempts of the stored layers together; 1: no layer is stored'),
  calls_per_attempt: z
    .number()
    .describe(
      'the largest number of attempts of an in-process layer: such layers count their retries together',
    ),
  calls: z.number().describe('the product of the two'),
  waits_max_ms: z
    .number()
    .describe('all waits, each as long as jitter allows, without the time of the calls'),
  text: z.string().describe('the same in words'),
});

export const EXPLANATION = z.object({
  id: ID,
  ...FOUND,
  description: z.string().describe('when to use it'),
  ...SHAPE,
  backoff_type: BACKOFF,
  backoff_multiplier: z.number().describe('the growth of exponential waits'),
  schedule_length: z.number().describe('waits that the file lists; 0: the back-off is no schedule'),
  immediate_first_retry: z.boolean().describe('whether the first wait is 0'),
  delays_ms: DELAYS,
  delays_truncated: z.boolean().describe('whether there are more waits than are listed'),
  total_nominal_ms: z.number().describe('all waits together, before jitter'),
  total_min_ms: z.number().describe('all waits together, at the least'),
  total_max_ms: z.number().describe('all waits together, at the most'),
  ttl_ms: TTL,
  attempt_timeout_ms: z.number().nullable().describe('the limit of one attempt; null: none'),
  horizon_ms: z.number().nullable().describe('the longest wait in process; null: any'),
  unclassified_errors: z
    .enum(['retryable', 'final'])
    .describe('class of an error that no rule matches'),
  attempts_within_ttl: z.number().describe('attempts that start in time if each fails at once'),
  gives_up: z.string().describe('when it gives up, in a sentence'),
  sources: z
    .record(z.string(), z.object({ kind: SOURCE, where: WHERE }))
    .describe('where each value came from, by field'),
  worst_cases: z
    .array(WORST_CASE)
    .describe(
      'if every call fails: one entry per declared load (`load`) with this policy as a layer',
    ),
});

export const PLOT = z.object({
  scale: z.enum(['linear', 'log']).describe('the scale that fits, or that was wanted'),
  policies: z
    .array(
      z.object({
        id: ID,
        ...SHAPE,
        delays_ms: DELAYS,
        total_nominal_ms: z.number().describe('all waits together, before jitter'),
      }),
    )
    .describe('in the order of the names'),
});

const DIFFERING_SPAN = z.object(SPAN).nullable().describe('null: no such attempt');

export const POLICY_DIFF = z.object({
  equal: z.boolean().describe('whether both policies behave the same'),
  a: z.string().describe('the first policy: id, or file:id'),
  b: z.string().describe('the second policy: id, or file:id'),
  fields: z
    .array(
      z.object({
        field: z.string().describe('its name in files'),
        a: VALUE,
        b: VALUE,
        unit: UNIT,
      }),
    )
    .describe('the fields that differ'),
  delays_ms: z
    .array(z.object({ attempt: ATTEMPT, a: DIFFERING_SPAN, b: DIFFERING_SPAN }))
    .describe('the waits that differ'),
});

const NULL_TEXT = z.string().nullable();

export const CONFIG_VALUES = z.object({
  file: z.string().nullable().describe('the configuration file; null: the presets alone'),
  version: z.string().describe("the version of the file's format"),
  hash: z.string().describe('SHA-256 of all values in force'),
  values: z
    .array(
      z.object({
        path: z.string().describe('the keys that lead to it, with dots'),
        group: z.string().describe('the beginning of the path: a policy, the mappings, a section'),
        value: VALUE,
        unit: UNIT,
        source: SOURCE,
        where: WHERE,
        served_by: NULL_TEXT.describe(
          'of a mapping to a policy that the file lacks: the policy that is used instead',
        ),
      }),
    )
    .describe('one per value, in the order of the file format'),
});

export const VALIDATION = z.object({
  valid: z.boolean().describe('true: no errors; there may be warnings'),
  problems: z
    .array(
      z.object({
        severity: z
          .enum(['error', 'warning'])
          .describe('a file with an error is not valid; a file with warnings is'),
        code: z.string().describe('the kind of problem; a fixed text'),
        path: z.string().describe('the keys that lead there, with dots; "" is the whole file'),
        line: z.number().describe('from 1'),
        column: z.number().describe('from 1, in characters'),
        message: z.string().describe('the fault, in a sentence'),
        suggestion: NULL_TEXT.describe('the remedy; null: none is known'),
        file: NULL_TEXT.describe('the file, variable or flag that has the problem'),
      }),
    )
    .describe('all problems, in the order of the file'),
});
