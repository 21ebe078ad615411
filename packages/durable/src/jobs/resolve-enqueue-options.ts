import { type FieldProblem, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { MAX_DURATION_MS } from '@redrive/core/stored';
import type { EnqueueOptions } from './jobs.ts';
import { redactHeaders } from './redact-headers.ts';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, textProblem } from './text-problem.ts';

const MAX_TAGS = 32;
const MAX_TAG_LENGTH = 100;
const MAX_HEADERS = 64;
const MAX_HEADERS_LENGTH = 16 * 1024;

export type ResolvedEnqueueOptions = Required<EnqueueOptions>;

const OPTIONS: OptionTable<EnqueueOptions> = {
  queue: ['default'],
  tenant: [''],
  priority: [0, { kind: 'integer', min: -1_000, max: 1_000 }],
  runAt: [undefined],
  delayMs: [undefined, { kind: 'number', min: 0, max: MAX_DURATION_MS }],
  deadline: [undefined],
  tags: [[], { kind: 'list', of: ['string'] }],
  headers: [{}],
  uniqueKey: [undefined],
  onConflict: ['existing', { kind: 'choice', values: ['existing', 'refuse', 'replace'] }],
  limitKey: [undefined],
  policy: [undefined],
  idempotencyKey: [undefined],
  correlationId: [undefined],
  traceId: [undefined],
};

const NONE: EnqueueOptions = Object.freeze({});
const DEFAULTS = /* @__PURE__ */ resolveOptions('job', NONE, OPTIONS);

/**
 * Checks the options of an enqueue and fills in the defaults. Several jobs at once cannot share a key that is one job's.
 *
 * @throws RedriveError `invalid_job` with every problem at once, the payload's included.
 */
export function resolveEnqueueOptions(
  options: EnqueueOptions | undefined,
  payloadProblem: FieldProblem | undefined,
  jobs = 1,
): ResolvedEnqueueOptions {
  if (options === undefined && payloadProblem === undefined) return DEFAULTS;
  const resolved = resolveOptions('job', options ?? NONE, OPTIONS, 'invalid_job', (given) =>
    [
      payloadProblem,
      textProblem('queue', given.queue, MAX_NAME_LENGTH),
      textProblem('tenant', given.tenant, MAX_NAME_LENGTH, { empty: true }),
      textProblem('uniqueKey', given.uniqueKey, MAX_KEY_LENGTH),
      textProblem('limitKey', given.limitKey, MAX_KEY_LENGTH),
      textProblem('policy', given.policy, MAX_NAME_LENGTH),
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
      ...(jobs > 1 ? ['uniqueKey', 'idempotencyKey'] : [])
        .filter((field) => given[field] !== undefined)
        .map((field) => ({ field, message: `${field} cannot be shared by ${jobs} jobs` })),
    ].filter((problem) => problem !== undefined),
  );
  // A copy, property by property: the caller may go on with its own, and `__proto__` is a name like any other.
  return { ...resolved, headers: redactHeaders(resolved.headers) };
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
