import type { JobSpec } from '@redrive/durable/store';

/** Fields of the enqueue that no statement searches. A field with its default value is left out. */
export type SpecCode = {
  readonly [Field in Unsearched]?: JobSpec[Field] | undefined;
};

type Unsearched =
  | 'tags'
  | 'headers'
  | 'sessionId'
  | 'policyId'
  | 'uniqueKey'
  | 'limitKey'
  | 'correlationId'
  | 'traceId'
  | 'idempotencyKey'
  | 'origin';

type Spec = Omit<JobSpec, 'submittedAtMs'>;

/** NULL, where every field has its default value: most jobs are like that. */
export function encodeSpec(job: Spec): string | null {
  const { id, tags, headers, policyId, uniqueKey, limitKey, correlationId, traceId } = job;
  const code = {
    tags: tags.length > 0 ? tags : undefined,
    headers: isEmpty(headers) ? undefined : headers,
    sessionId: job.sessionId === id ? undefined : job.sessionId,
    policyId,
    uniqueKey,
    limitKey,
    correlationId,
    traceId,
    idempotencyKey: job.idempotencyKey === id ? undefined : job.idempotencyKey,
    origin: job.origin,
  } satisfies SpecCode;
  const text = JSON.stringify(code);
  return text === '{}' ? null : text;
}

export function decodeSpec(text: string | null): SpecCode {
  if (text === null) return {};
  const spec: unknown = JSON.parse(text);
  if (typeof spec !== 'object' || spec === null) throw new Error('it is not an object');
  // Written by encodeSpec.
  return spec as SpecCode;
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}
