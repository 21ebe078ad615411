/** A policy of the sample file, as it is written there. */
export interface SamplePolicy {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

const exponential = (
  id: string,
  name: string,
  description: string,
  maxAttempts: number,
  baseDelay: number,
  maxDelay: number,
  more: Readonly<Record<string, unknown>> = {},
): SamplePolicy => ({
  id,
  name,
  description,
  max_attempts: maxAttempts,
  backoff_type: 'exponential',
  base_delay: baseDelay,
  max_delay: maxDelay,
  ...more,
});

/** Every policy that `SAMPLE_MAPPINGS` names. */
export const SAMPLE_POLICIES: readonly SamplePolicy[] = [
  exponential(
    'browser_state_timeout',
    'Browser State Timeout Retry',
    'Retry state operations that timeout',
    3,
    1,
    10,
    { retryable_exceptions: ['TimeoutError', 'ConnectionError'], enabled: true },
  ),
  exponential(
    'browser_network_error',
    'Browser Network Error Retry',
    'Retry state operations with network errors',
    5,
    2,
    30,
    { retryable_exceptions: ['ConnectionError', 'NetworkError'] },
  ),
  {
    id: 'browser_disk_full',
    name: 'Browser Disk Full Retry',
    description: 'A full disk takes its time: few attempts, far apart',
    max_attempts: 3,
    backoff_type: 'fixed',
    base_delay: 30,
    max_delay: 30,
    retryable_exceptions: ['ENOSPC', 'EDQUOT'],
  },
  exponential(
    'browser_monitoring_timeout',
    'Browser Monitoring Timeout Retry',
    'Retry readings of the monitor that timeout',
    3,
    0.5,
    5,
    { attempt_timeout: 5, retryable_exceptions: ['TimeoutError'] },
  ),
  {
    id: 'browser_access_denied',
    name: 'Browser Access Denied Retry',
    description: 'Access rarely comes back by itself: one more try',
    max_attempts: 2,
    backoff_type: 'fixed',
    base_delay: 1,
    max_delay: 1,
  },
  {
    id: 'browser_psutil_error',
    name: 'Browser Process Reading Retry',
    description: 'A process may end while it is read: look again at once',
    max_attempts: 3,
    backoff_type: 'immediate',
    base_delay: 0,
    max_delay: 0,
  },
  exponential(
    'browser_session_default',
    'Browser Session Retry',
    'Everything else that sessions do',
    3,
    1,
    30,
  ),
  exponential(
    'navigation_retry_with_delay',
    'Navigation Retry With Delay',
    'Retry route adaptation with delay',
    3,
    2,
    30,
  ),
  exponential(
    'telemetry_error_handling',
    'Telemetry Error Handling Retry',
    'Retry telemetry operations with errors',
    3,
    1,
    60,
  ),
  exponential(
    'telemetry_batch_processing',
    'Telemetry Batch Retry',
    'Batches may wait longer, but not for ever',
    5,
    5,
    60,
    { ttl: 600 },
  ),
  {
    id: 'telemetry_alerting_notification',
    name: 'Telemetry Alert Retry',
    description: 'Alerts must get through: built on the preset for API calls',
    extends: 'RETRY_API_REQUEST',
    max_attempts: 5,
    enable_circuit_breaker: true,
    dependency: 'alerting',
  },
  {
    id: 'telemetry_simple_retries',
    name: 'Telemetry Simple Retry',
    description: 'A few tries at even distances',
    max_attempts: 3,
    backoff_type: 'linear',
    base_delay: 0.5,
    max_delay: 2,
  },
];

/** Which policy an operation of the sample uses, by subsystem path. */
export const SAMPLE_MAPPINGS = {
  browser: {
    state_operations: {
      timeout: 'browser_state_timeout',
      network_error: 'browser_network_error',
      disk_full: 'browser_disk_full',
    },
    monitoring_operations: {
      timeout: 'browser_monitoring_timeout',
      access_denied: 'browser_access_denied',
      psutil_error: 'browser_psutil_error',
    },
    session_operations: { default: 'browser_session_default' },
  },
  navigation: { route_adaptation: { retry_with_delay: 'navigation_retry_with_delay' } },
  telemetry: {
    error_handling: { default: 'telemetry_error_handling' },
    batch_processing: { default: 'telemetry_batch_processing' },
    alerting: { notification: 'telemetry_alerting_notification' },
    simple_retries: { default: 'telemetry_simple_retries' },
  },
} as const;
