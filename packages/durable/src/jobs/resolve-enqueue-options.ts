import type { Policy } from '@redrive/core';
import { type FieldProblem, type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import { MAX_DURATION_MS } from '@redrive/core/stored';
import { batchIdProblem } from '../batch/batch.ts';
import { problemsOf } from '../handler/resolve-handlers.ts';
import { jobIdOf } from '../job/caller-id.ts';
import type { Payload } from '../job/job.ts';
import { jobPolicyOf } from '../job/job-policy.ts';
import type { EnqueueManyOptions, EnqueueOptions, UniqueFor } from './jobs.ts';
import { DEFAULT_MAX_PAYLOAD_BYTES } from './payload.ts';
import { redactHeaders } from './redact-headers.ts';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, textProblem } from './text-problem.ts';

/** Options before they are known to be right. */
type Given = Readonly<Record<string, unknown>>;

const MAX_TAGS = 32;
const MAX_TAG_LENGTH = 100;
const MAX_HEADERS = 64;
const MAX_HEADERS_LENGTH = 16 * 1024;
/** As in every policy. */
const MAX_ATTEMPTS = 1_000_000_000;

/** The options of one job, checked, with the defaults filled in. */
export type ResolvedEnqueueOptions = Required<EnqueueOptions>;

const OPTIONS: OptionTable<EnqueueOptions> = {
  id: [undefined],
  queue: ['default'],
  tenant: [''],
  priority: [0, { kind: 'integer', min: -1_000, max: 1_000 }],
  runAt: [undefined],
  delayMs: [undefined, { kind: 'number', min: 0, max: MAX_DURATION_MS }],
  deadline: [undefined],
  tags: [[], { kind: 'list', of: ['string'] }],
  headers: [{}],
  uniqueKey: [undefined],
  unique: [undefined],
  onConflict: ['existing', { kind: 'choice', values: ['existing', 'refuse', 'replace'] }],
  batch: [undefined],
  limitKey: [undefined],
  rateKey: [undefined],
  policy: [undefined],
  maxAttempts: [undefined, { kind: 'integer', min: 1, max: MAX_ATTEMPTS }],
  idempotencyKey: [undefined],
  correlationId: [undefined],
  traceId: [undefined],
};

/** The same rules, for a store whose database checks jobs without this code. */
export const ENQUEUE_RULES = {
  /** In the order in which messages name them. */
  options: Object.keys(OPTIONS) as readonly string[],
  maxNameLength: MAX_NAME_LENGTH,
  maxKeyLength: MAX_KEY_LENGTH,
  maxDelayMs: MAX_DURATION_MS,
  maxTags: MAX_TAGS,
  maxTagLength: MAX_TAG_LENGTH,
  maxHeaders: MAX_HEADERS,
  maxHeadersLength: MAX_HEADERS_LENGTH,
  maxAttempts: MAX_ATTEMPTS,
  maxPayloadBytes: DEFAULT_MAX_PAYLOAD_BYTES,
  maxUniqueForMs: 366 * 86_400_000,
} as const;

const NONE: EnqueueOptions = Object.freeze({});
const DEFAULTS = /* @__PURE__ */ resolveOptions('job', NONE, OPTIONS);

/**
 * Checks the options of one job and fills in the defaults.
 *
 * @param what names the job in the error.
 * @param also finds further problems.
 * @throws RedriveError `invalid_job` with every problem at once, the payload's included.
 */
export function resolveEnqueueOptions(
  options: EnqueueOptions | undefined,
  payloadProblem: FieldProblem | undefined,
  what = 'job',
  also: (given: Given) => readonly FieldProblem[] = () => [],
): ResolvedEnqueueOptions {
  if (options === undefined && payloadProblem === undefined) return DEFAULTS;
  const resolved = resolveOptions(what, options ?? NONE, OPTIONS, 'invalid_job', (given) =>
    [
      payloadProblem,
      textProblem('queue', given.queue, MAX_NAME_LENGTH),
      textProblem('tenant', given.tenant, MAX_NAME_LENGTH, { empty: true }),
      ...idProblems(given),
      textProblem('uniqueKey', given.uniqueKey, MAX_KEY_LENGTH),
      ...uniqueProblems(given),
      batchIdProblem('batch', given.batch),
      textProblem('limitKey', given.limitKey, MAX_KEY_LENGTH),
      textProblem('rateKey', given.rateKey, MAX_KEY_LENGTH),
      ...policyProblems(given.policy),
      textProblem('idempotencyKey', given.idempotencyKey, MAX_KEY_LENGTH),
      textProblem('correlationId', given.correlationId, MAX_KEY_LENGTH),
      textProblem('traceId', given.traceId, MAX_KEY_LENGTH),
      dateProblem('runAt', given.runAt),
      dateProblem('deadline', given.deadline),
      given.runAt !== undefined && given.delayMs !== undefined
        ? { field: 'delayMs', message: 'delayMs cannot be given together with runAt' }
        : undefined,
      ...tagProblems(given.tags),
      ...headerProblems(given.headers),
      ...also(given),
    ].filter((problem) => problem !== undefined),
  );
  // A copy, property by property: the caller may go on with its own, and `__proto__` is a name like any other.
  return { ...resolved, headers: redactHeaders(resolved.headers) };
}

/**
 * The options of each job of an `enqueueMany`.
 *
 * @param encoded what `encodePayload` answered for each payload.
 * @param from the place of the first payload, for errors.
 * @throws RedriveError `invalid_job` with every problem of the first wrong job, the payload's included. The error of a
 *   function that throws passes through.
 */
export function resolveOptionsOfMany(
  payloads: readonly unknown[],
  encoded: readonly (Payload | FieldProblem)[],
  options: EnqueueManyOptions<unknown> | undefined,
  from = 0,
): readonly ResolvedEnqueueOptions[] {
  if (typeof options === 'function') {
    return encoded.map((payload, index) => {
      const what = `job (payloads[${index}])`;
      const own: unknown = options(payloads[index], index);
      if (own instanceof Promise) {
        own.catch(() => {}); // The caller gets the refusal alone.
        refuse('invalid_job', what, [NOT_A_PROMISE]);
      }
      // Checked next, because plain JavaScript may return anything.
      const given = own as EnqueueOptions | undefined;
      return resolveEnqueueOptions(given, problemOf(payload), what, refusingProblems);
    });
  }
  const wrong = encoded.findIndex((payload) => problemOf(payload) !== undefined);
  const what = wrong < 0 ? 'jobs' : `job (payloads[${from + wrong}])`;
  const shared = resolveEnqueueOptions(options, problemOf(encoded[wrong]), what, (given) => [
    ...OF_ONE_JOB.filter((field) => given[field] !== undefined).map((field) => ({
      field,
      message: `${field} belongs to one job: return it from a function, (payload, index) => ({ ${field} })`,
    })),
    ...refusingProblems(given),
  ]);
  return encoded.map(() => shared);
}

const NOT_A_PROMISE = { field: 'it', message: 'it must be an object, not a promise' };

/** Jobs cannot share these. */
const OF_ONE_JOB = [
  'id',
  'uniqueKey',
  'unique',
  'idempotencyKey',
] as const satisfies (keyof EnqueueOptions)[];

function problemOf(encoded: Payload | FieldProblem | undefined): FieldProblem | undefined {
  return encoded === undefined || 'kind' in encoded ? undefined : encoded;
}

/** A refused job would leave the other ones stored. */
function refusingProblems({ onConflict }: Given): readonly FieldProblem[] {
  if (onConflict !== 'refuse') return [];
  const message =
    'onConflict cannot be refuse, because enqueueMany stores all jobs or none: the outcome of each job says whether it existed';
  return [{ field: 'onConflict', message }];
}

/** The problems of a policy that is written out have its name before the field's. */
function policyProblems(policy: unknown): readonly (FieldProblem | undefined)[] {
  if (!isWrittenOut(policy)) return [textProblem('policy', policy, MAX_NAME_LENGTH)];
  try {
    jobPolicyOf(policy); // It checks every field.
    return [];
  } catch (error) {
    return problemsOf(error).map(({ field, message }) => ({
      field: `policy.${field}`,
      message: `policy: ${message}`,
    }));
  }
}

/** A list, a promise or a map has no fields of a policy, and would pass for one that leaves everything out. */
function isWrittenOut(policy: unknown): policy is Policy {
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) return false;
  return policy.constructor === Object || Object.keys(policy).length > 0;
}

function idProblems({ id, tenant, onConflict }: Given): readonly (FieldProblem | undefined)[] {
  if (id === undefined) return [];
  const problems = [textProblem('id', id, MAX_NAME_LENGTH)];
  if (typeof id === 'string' && typeof tenant === 'string') {
    const whole = textProblem('id', jobIdOf(id, tenant), MAX_KEY_LENGTH);
    if (whole !== undefined && problems[0] === undefined) {
      const message = `id and tenant together may have ${MAX_KEY_LENGTH} characters; each colon and percent sign of the tenant counts three`;
      problems.push({ field: 'id', message });
    }
  }
  if (onConflict === 'replace') {
    const message =
      'onConflict cannot be replace together with id: the job that is replaced keeps its own id, so this one would be run again';
    problems.push({ field: 'onConflict', message });
  }
  return problems;
}

const UNIQUE_FIELDS: readonly string[] = ['key', 'forMs'] satisfies (keyof UniqueFor)[];

function uniqueProblems({ unique, uniqueKey }: Given): readonly (FieldProblem | undefined)[] {
  if (unique === undefined) return [];
  const wrong = (message: string): FieldProblem => ({ field: 'unique', message });
  if (typeof unique !== 'object' || unique === null || Array.isArray(unique)) {
    return [wrong('unique must be an object, { key, forMs }')];
  }
  const { key = null, forMs }: { key?: unknown; forMs?: unknown } = unique;
  const unknown = Object.keys(unique).filter((name) => !UNIQUE_FIELDS.includes(name));
  return [
    ...unknown.map((name) => wrong(`unique.${name} is unknown (unique is { key, forMs })`)),
    textProblem('unique.key', key, MAX_KEY_LENGTH),
    typeof forMs === 'number' && forMs >= 1 && forMs <= ENQUEUE_RULES.maxUniqueForMs
      ? undefined
      : wrong(
          `unique.forMs must be a number from 1 to ${ENQUEUE_RULES.maxUniqueForMs}; for as long as the job is unfinished, use uniqueKey`,
        ),
    uniqueKey === undefined ? undefined : wrong('unique cannot be given together with uniqueKey'),
  ];
}

function dateProblem(field: string, value: unknown): FieldProblem | undefined {
  if (value === undefined || (value instanceof Date && Number.isFinite(value.getTime()))) {
    return undefined;
  }
  return { field, message: `${field} must be a valid Date` };
}

function tagProblems(tags: unknown): readonly (FieldProblem | undefined)[] {
  // Its rule has looked at the type already.
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string')) return [];
  if (tags.length > MAX_TAGS) {
    return [{ field: 'tags', message: `tags may be at most ${MAX_TAGS}, not ${tags.length}` }];
  }
  return tags.map((tag, index) => textProblem(`tags[${index}]`, tag, MAX_TAG_LENGTH));
}

function headerProblems(headers: unknown): readonly (FieldProblem | undefined)[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return [{ field: 'headers', message: 'headers must be an object of texts' }];
  }
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) {
    const message = `headers may be at most ${MAX_HEADERS}, not ${entries.length}`;
    return [{ field: 'headers', message }];
  }
  const length = entries.reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    0,
  );
  if (length > MAX_HEADERS_LENGTH) {
    const message = `headers may have ${MAX_HEADERS_LENGTH} characters together, not ${length}`;
    return [{ field: 'headers', message }];
  }
  return entries.flatMap(([name, value]) => [
    textProblem('headers', name, MAX_NAME_LENGTH),
    textProblem(`headers.${name}`, value, MAX_HEADERS_LENGTH, { empty: true }),
  ]);
}
