import type { JobSpec } from './job.ts';

/** Fields of the enqueue that a store keeps in one text, because no statement searches them; a store may have columns for some. */
export type SpecCode = { readonly [Field in Unsearched]?: JobSpec[Field] | undefined };

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

/** As JSON, without fields that have their default value. `null` where all have: most jobs are like that. */
export function encodeSpec(job: SpecCode & Pick<JobSpec, 'id'>): string | null {
  const { id, policyId, uniqueKey, limitKey, correlationId, traceId, origin } = job;
  const tags = job.tags?.length === 0 ? undefined : job.tags;
  const headers = isEmpty(job.headers) ? undefined : job.headers;
  const sessionId = job.sessionId === id ? undefined : job.sessionId;
  const idempotencyKey = job.idempotencyKey === id ? undefined : job.idempotencyKey;
  const keys = policyId ?? uniqueKey ?? limitKey ?? correlationId ?? traceId ?? idempotencyKey;
  if ((keys ?? tags ?? headers ?? sessionId ?? origin) === undefined) return null;
  return JSON.stringify({
    tags,
    headers,
    sessionId,
    policyId,
    uniqueKey,
    limitKey,
    correlationId,
    traceId,
    idempotencyKey,
    origin,
  } satisfies SpecCode);
}

/** @throws Error for a text that is not an object. */
export function decodeSpec(text: string | null): SpecCode {
  if (text === null) return {};
  const spec: unknown = JSON.parse(text);
  if (typeof spec !== 'object' || spec === null) throw new Error('it is not an object');
  // Written by encodeSpec.
  return spec as SpecCode;
}

function isEmpty(record: object | undefined): boolean {
  for (const _ in record) return false;
  return true;
}
