import { policyCategory, policyLabel, type SessionFacts } from '@redrive/core/stored';
import type { JobSpec } from '../job/job.ts';

/** The version of the policy of an attempt. */
export interface PolicyInForce {
  readonly id: string;
  readonly hash: string;
  readonly maxAttempts: number;
}

/** The part of a job that its facts are made of. */
export type FactsSpec = Pick<
  JobSpec,
  | 'id'
  | 'handler'
  | 'queue'
  | 'tenant'
  | 'headers'
  | 'sessionId'
  | 'correlationId'
  | 'traceId'
  | 'origin'
>;

export interface FactsOptions {
  readonly generation: number;
  /** Default: the first part of the handler's name. */
  readonly subsystem?: string | undefined;
  readonly dependency?: string | undefined;
  /** `ttl` of the policy: in the records of events. */
  readonly ttlMs?: number | undefined;
}

/**
 * The facts of a session that all records of a job share, whether a worker emits them or they are read later. The
 * operation is the handler's name, the category that of the policy; subsystem, job, queue, generation and, where it has one, the origin are in the
 * context.
 */
export function sessionFacts(
  job: FactsSpec,
  policy: PolicyInForce,
  { generation, subsystem, dependency, ttlMs }: FactsOptions,
): SessionFacts {
  const { sessionId, handler, tenant, correlationId, traceId, headers, queue, id, origin } = job;
  const where = { subsystem: subsystem ?? subsystemOf(handler), job_id: id, queue, generation };
  return {
    sessionId,
    policyId: policyLabel(policy.id, policy.hash),
    policyHash: policy.hash,
    operation: handler,
    maxAttempts: policy.maxAttempts,
    category: policyCategory(policy.id),
    dependency,
    tenantId: tenant === '' ? undefined : tenant,
    correlationId,
    traceId,
    traceParent: headers.traceparent,
    context:
      origin === undefined
        ? where
        : {
            ...where,
            ...origin,
            ...(origin.rung === 'event' && ttlMs !== undefined && { ttl_ms: ttlMs }),
          },
  };
}

/**
 * The subsystem of an operation: the first part of its name, as in `subsystem_mappings`. That of
 * `browser.state_operations.timeout` is `browser`; a name without a dot is its own.
 */
export function subsystemOf(operation: string): string {
  const dot = operation.indexOf('.');
  return dot > 0 ? operation.slice(0, dot) : operation;
}
