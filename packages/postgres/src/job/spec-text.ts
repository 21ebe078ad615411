import type { JobSpec } from '@redrive/durable/store';

/** The part of a job that no query searches for. */
type RareSpec = Pick<
  JobSpec,
  'policyId' | 'correlationId' | 'traceId' | 'idempotencyKey' | 'origin'
>;

/** As JSON, without fields that have their default value; null where all have. */
export function specText(job: RareSpec & Pick<JobSpec, 'id'>): string | null {
  const { policyId, correlationId, traceId, origin } = job;
  const idempotencyKey = job.idempotencyKey === job.id ? undefined : job.idempotencyKey;
  if ((policyId ?? correlationId ?? traceId ?? idempotencyKey ?? origin) === undefined) return null;
  return JSON.stringify({ policyId, correlationId, traceId, idempotencyKey, origin });
}

export function readSpec(text: string | null, id: string): RareSpec {
  // Written by `specText`.
  if (text === null) return { idempotencyKey: id };
  const spec: unknown = JSON.parse(text);
  if (typeof spec !== 'object' || spec === null) throw new Error('it is not an object');
  const { idempotencyKey = id, ...rest } = spec as Partial<RareSpec>;
  return { ...rest, idempotencyKey };
}
