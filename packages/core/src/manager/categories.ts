import type { Policy } from '../policy/policy.ts';

/** The categories and their codes. */
export const RetryCategory = {
  NATS_CONNECT: 'RETRY_NATS_CONNECT',
  NATS_PUBLISH: 'RETRY_NATS_PUBLISH',
  NATS_SUBSCRIBE: 'RETRY_NATS_SUBSCRIBE',
  NATS_STREAM_CREATE: 'RETRY_NATS_STREAM_CREATE',
  KV_CREATE: 'RETRY_KV_CREATE',
  KV_GET: 'RETRY_KV_GET',
  KV_PUT: 'RETRY_KV_PUT',
  KV_DELETE: 'RETRY_KV_DELETE',
  EXECUTION_INTENT: 'RETRY_EXECUTION_INTENT',
  EXECUTION_CONTAINMENT: 'RETRY_EXECUTION_CONTAINMENT',
  EXECUTION_EXPIRATION: 'RETRY_EXECUTION_EXPIRATION',
  APPROVAL_CHECK: 'RETRY_APPROVAL_CHECK',
  APPROVAL_GRANT: 'RETRY_APPROVAL_GRANT',
  REPLAY_PROCESSING: 'RETRY_REPLAY_PROCESSING',
  REPLAY_VALIDATION: 'RETRY_REPLAY_VALIDATION',
  API_REQUEST: 'RETRY_API_REQUEST',
  API_VALIDATION: 'RETRY_API_VALIDATION',
} as const;

export type RetryCategory = (typeof RetryCategory)[keyof typeof RetryCategory];

const policy = (
  maxAttempts: number,
  baseDelayMs: number,
  maxDelayMs: number,
  description: string,
): Policy => ({
  maxAttempts,
  baseDelayMs,
  maxDelayMs,
  description,
});

/** The policy matrix: attempts, base and cap. Exponential, x2, ±10 % all through, which are the defaults. */
export const CATEGORY_POLICIES: Readonly<Record<RetryCategory, Policy>> = {
  RETRY_NATS_CONNECT: policy(5, 1_000, 30_000, 'Connection establishment'),
  RETRY_NATS_PUBLISH: policy(3, 500, 10_000, 'Message publishing'),
  RETRY_NATS_SUBSCRIBE: policy(3, 500, 10_000, 'Subject subscription'),
  RETRY_NATS_STREAM_CREATE: policy(2, 2_000, 60_000, 'Stream setup'),
  RETRY_KV_CREATE: policy(2, 1_000, 30_000, 'KV bucket creation'),
  RETRY_KV_GET: policy(3, 500, 10_000, 'KV value retrieval'),
  RETRY_KV_PUT: policy(3, 500, 10_000, 'KV value storage'),
  RETRY_KV_DELETE: policy(2, 1_000, 30_000, 'KV value deletion'),
  RETRY_EXECUTION_INTENT: policy(2, 2_000, 60_000, 'Intent execution'),
  RETRY_EXECUTION_CONTAINMENT: policy(2, 2_000, 60_000, 'Containment ops'),
  RETRY_EXECUTION_EXPIRATION: policy(1, 1_000, 30_000, 'Batch processing'),
  RETRY_APPROVAL_CHECK: policy(3, 1_000, 30_000, 'Approval verification'),
  RETRY_APPROVAL_GRANT: policy(2, 2_000, 60_000, 'Approval operations'),
  RETRY_REPLAY_PROCESSING: policy(1, 1_000, 30_000, 'Large replays'),
  RETRY_REPLAY_VALIDATION: policy(2, 1_000, 30_000, 'Replay validation'),
  RETRY_API_REQUEST: policy(3, 1_000, 30_000, 'API calls'),
  RETRY_API_VALIDATION: policy(2, 500, 10_000, 'Input validation'),
};

/**
 * The category that a text names: its code, its short name (`KV_GET`), or the misspelling that two codes have in old
 * files (`REPLAY_REPLAY_PROCESSING`).
 */
export function findCategory(text: string): RetryCategory | undefined {
  const code = text.startsWith('REPLAY_REPLAY_') ? text.replace('REPLAY_', 'RETRY_') : text;
  return Object.entries(RetryCategory).find(
    ([name, known]) => known === code || name === code,
  )?.[1];
}
