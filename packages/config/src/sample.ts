import { CURRENT_VERSION } from './content/file-content.ts';
import { SECTIONS } from './sections/built-in.ts';
import { policyFileFields } from './shape/policy-shape.ts';

/**
 * A complete file to start from: mappings of three subsystems with every policy that they name, and an example of each
 * section that has one. The comments are the field table's own words.
 */
export function sampleConfig(): string {
  const sections = SECTIONS.flatMap(({ shape, sample }) =>
    sample === undefined ? [] : [`# ${plain(shape.meaning)}\n${sample}`],
  );
  return [BEGINNING.replace(KEY, explained), OTHER_POLICIES, ...sections].join('\n');
}

/** A line of a map in the file. */
const KEY = /^( +)(\w+): .+$/gm;

/** The line, with the meaning of its key before it. */
function explained(line: string, indent: string, name: string): string {
  const meaning = policyFileFields().get(name)?.shape.meaning;
  return meaning === undefined ? line : `${indent}# ${plain(meaning)}\n${line}`;
}

/** Markdown's links and marks are of no use in a comment. */
const plain = (text: string) =>
  text.replaceAll(/\s*\(?\[([^\]]*)\]\([^)]*\)\)?/g, '').replaceAll('`', '');

/** Its keys are explained; the other policies would only repeat it. */
const BEGINNING = `# Retry policies, in one place. Check it with: redrive config validate
# Every key is explained in docs/reference/configuration.md; times are seconds.
version: "${CURRENT_VERSION}"

# Values for every policy that does not set them itself.
global_defaults:
  jitter_type: full
  jitter_amount: 1.0
  enable_circuit_breaker: false

# Policies by id. The presets (RETRY_…, documents.…, runs.default, events.default) exist without being listed here.
# A policy may build on a preset, or on another policy of this file, with \`extends\`.
policies:
  browser_state_timeout:
    name: "Browser State Timeout Retry"
    description: "Retry state operations that timeout"
    max_attempts: 3
    backoff_type: exponential
    base_delay: 1
    max_delay: 10
    retryable_exceptions: [TimeoutError, ConnectionError]
    enabled: true
`;

const OTHER_POLICIES = `  browser_network_error:
    name: "Browser Network Error Retry"
    description: "Retry state operations with network errors"
    max_attempts: 5
    backoff_type: exponential
    base_delay: 2
    max_delay: 30
    retryable_exceptions: [ConnectionError, NetworkError]

  browser_disk_full:
    name: "Browser Disk Full Retry"
    description: "A full disk takes its time: few attempts, far apart"
    max_attempts: 3
    backoff_type: fixed
    base_delay: 30
    max_delay: 30
    retryable_exceptions: [ENOSPC, EDQUOT]

  browser_monitoring_timeout:
    name: "Browser Monitoring Timeout Retry"
    description: "Retry readings of the monitor that timeout"
    max_attempts: 3
    backoff_type: exponential
    base_delay: 0.5
    max_delay: 5
    attempt_timeout: 5
    retryable_exceptions: [TimeoutError]

  browser_access_denied:
    name: "Browser Access Denied Retry"
    description: "Access rarely comes back by itself: one more try"
    max_attempts: 2
    backoff_type: fixed
    base_delay: 1
    max_delay: 1

  browser_psutil_error:
    name: "Browser Process Reading Retry"
    description: "A process may end while it is read: look again at once"
    max_attempts: 3
    backoff_type: immediate
    base_delay: 0
    max_delay: 0

  browser_session_default:
    name: "Browser Session Retry"
    description: "Everything else that sessions do"
    max_attempts: 3
    backoff_type: exponential
    base_delay: 1
    max_delay: 30

  navigation_retry_with_delay:
    name: "Navigation Retry With Delay"
    description: "Retry route adaptation with delay"
    max_attempts: 3
    backoff_type: exponential
    base_delay: 2
    max_delay: 30

  telemetry_error_handling:
    name: "Telemetry Error Handling Retry"
    description: "Retry telemetry operations with errors"
    max_attempts: 3
    backoff_type: exponential
    base_delay: 1
    max_delay: 60

  telemetry_batch_processing:
    name: "Telemetry Batch Retry"
    description: "Batches may wait longer, but not for ever"
    max_attempts: 5
    backoff_type: exponential
    base_delay: 5
    max_delay: 60
    ttl: 600

  telemetry_alerting_notification:
    name: "Telemetry Alert Retry"
    description: "Alerts must get through: built on the preset for API calls"
    extends: RETRY_API_REQUEST
    max_attempts: 5
    enable_circuit_breaker: true
    dependency: alerting

  telemetry_simple_retries:
    name: "Telemetry Simple Retry"
    description: "A few tries at even distances"
    max_attempts: 3
    backoff_type: linear
    base_delay: 0.5
    max_delay: 2

# The policy of each operation; \`default\` applies to every other path of its group.
subsystem_mappings:
  browser:
    state_operations:
      timeout: browser_state_timeout
      network_error: browser_network_error
      disk_full: browser_disk_full
    monitoring_operations:
      timeout: browser_monitoring_timeout
      access_denied: browser_access_denied
      psutil_error: browser_psutil_error
    session_operations:
      default: browser_session_default
  navigation:
    route_adaptation:
      retry_with_delay: navigation_retry_with_delay
  telemetry:
    error_handling:
      default: telemetry_error_handling
    batch_processing:
      default: telemetry_batch_processing
    alerting:
      notification: telemetry_alerting_notification
    simple_retries:
      default: telemetry_simple_retries
`;
