import type { MetricEntry, MetricSource } from './metric.ts';

/** Of attempts: a local call to a job of minutes. */
const DURATIONS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Of waits and operations: milliseconds to days. */
const WAITS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];
const ATTEMPTS = [1, 2, 3, 5, 8, 13, 25];
/** Of runs over all collections: those that the schedule of sweeps keeps. */
export const RUNS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];

// Every metric by its source, with its labels. A counter ends with `_total`. A time is a moment, never an age, because
// an age depends on the time of the scrape.

const OWN = {
  records: {
    'redrive_operations_total{operation,result:operation}':
      'Operations that ended in this process, by their result.',
    'redrive_attempts_total{operation,entry}':
      'Attempts that ended in this process, as they were entered in the account.',
    'redrive_retries_total{operation}': 'Attempts that failed and are followed by another one.',
    'redrive_refusals_total{operation,cause:refusal}':
      'Further attempts that were refused: attempts used up, time over, budget, breaker, gate, kill switch.',
    'redrive_attempt_duration_seconds{operation}': 'Duration of attempts.',
    'redrive_operation_duration_seconds{rung}':
      'Time from the submission or the first attempt of an operation to its end.',
    'redrive_operation_attempts{rung}': 'Attempts that an operation took, over all generations.',
    'redrive_retry_delay_seconds{rung}': 'Delay between a failed attempt and the next one.',
    redrive_calls_running:
      'Calls in process that have begun and not ended, waits included. Absent: none has begun.',
    'redrive_category_operations_total{category,result:operation}':
      'Operations of a category that ended. Success rate: the share of first_try and recovered.',
    'redrive_category_attempts_total{category}':
      'Attempts of a category. Average attempts: divide by its operations.',
    'redrive_category_retries_total{category}':
      'Attempts of a category that failed and are followed by another one.',
    'redrive_category_exhausted_total{category}':
      'Operations of a category that used up their attempts.',
    'redrive_dead_letters_added_total{operation,reason}':
      'Jobs that became dead letters after a claim of this process.',
    'redrive_dead_letters_returned_total{operation}':
      'Requeued jobs that became dead letters again.',
    'redrive_breaker_transitions_total{dependency,state:breaker}':
      'Changes of circuit breakers to a state, as this process made or saw them.',
    'redrive_idempotency_total{action}':
      'Results that the idempotency ledger had (hit) or stored (record).',
    'event_retry_success_total{service,attempt}':
      'Events that succeeded after a retry, by the attempt that succeeded.',
    'event_retry_latency_seconds{service}':
      'Time from the storing or first attempt of a retried event to its success.',
    'event_retry_dlq_total{service,reason}':
      'Events that ran and became dead letters. Others: redrive_source_dead_lettered_total.',
    'event_retry_attempt_count{service}':
      'Attempts of events that succeeded or became dead letters.',
  },
  notices: {
    'redrive_notices_total{kind}': 'Notices of the worker about itself.',
    'redrive_lease_losses_total{operation}':
      'Expired leases of lost workers that this process settled.',
    'redrive_dead_letters_removed_total{act}':
      'Dead letters that left, by any process; counted by the process that sealed the records of it.',
    redrive_stale_writes_refused_total:
      'Results of attempts that the store refused, because the lease was lost.',
    redrive_store_up: 'Whether the store answers the worker: 1 or 0.',
  },
  configuration: {
    'redrive_config_reloads_total{result:reload}': 'Times that a changed configuration was read.',
    redrive_config_last_reload_successful:
      'Whether the files of the configuration are in force: 1 or 0.',
    redrive_config_last_reload_success_timestamp_seconds:
      'When the configuration in force was read.',
    'redrive_retries_per_minute_threshold{category}':
      'Retries per minute of a category above which RedriveRetryRateHigh fires: `alerts` of redrive.yaml.',
  },
  process: {
    'redrive_event_loop_lag_seconds{stat}': 'Delay of the event loop since the last scrape.',
    'redrive_build_info{version,node_version}': 'Always 1.',
  },
  telemetry: {
    'redrive_collector_failures_total{collector}':
      'Questions to the store that failed or took longer than a second: their series are left out.',
    'redrive_collector_success_timestamp_seconds{collector}':
      'When a question to the store was last answered.',
    'redrive_label_overflow_total{label}':
      'Operations, services and categories that were counted as _other: nothing names them, or there are too many.',
    redrive_records_dropped_total: 'Records and notices that an error kept from being counted.',
  },
} as const;

/** All processes on one store report the same values: `max`, not `sum`, over them. */
const OF_THE_STORE = {
  counts: {
    'redrive_jobs{operation,state:job}': 'Jobs in the store, by handler.',
    'redrive_queue_jobs{queue,state:job}': 'Jobs in the store, by queue.',
    redrive_jobs_bounded: 'Whether there are more jobs than were counted: 1 or 0.',
    redrive_oldest_ready_job_timestamp_seconds:
      'When the oldest ready job was submitted. Absent: none is ready.',
  },
  dead_letters: {
    redrive_dead_letters: 'Dead letters in the store, counted to 10000.',
    redrive_oldest_dead_letter_timestamp_seconds:
      'When the oldest dead letter died. Absent: there is none.',
  },
  parks: { 'redrive_parked_jobs{cause:park}': 'Parked jobs, by the kind of their cause.' },
  controls: {
    'redrive_breaker_state{dependency,state:breaker}':
      'Shared circuit breakers: 1 for the state in force, 0 for the others.',
    'redrive_breaker_forced{dependency,state:breaker}':
      'Shared circuit breakers that an operator has forced into a state: 1 or 0.',
    'redrive_gates_closed{dependency}': 'Gates that a dependency has closed with a Retry-After.',
    'redrive_gate_opens_timestamp_seconds{dependency}':
      'When the last gate of a dependency opens. Absent: all are open.',
    'redrive_kill_switches_engaged{scope}': 'Engaged kill switches.',
    'redrive_pauses{scope}': 'Paused queues, handlers and schedules.',
    'redrive_bulk_operations{state:bulk}': 'Unfinished bulk operations.',
    'redrive_source_stored_total{service}': 'Events that were stored as jobs, by all processes.',
    'redrive_source_duplicates_total{service}':
      'Messages that were stored before, by all processes.',
    'redrive_source_dead_lettered_total{service}':
      'Messages that became dead letters when they were taken, most without running, by all processes.',
    'redrive_source_waiting{service}': 'Messages in the broker. Absent: it does not report them.',
    'retry_job_documents_requeued_total{collection}': 'Total documents requeued for retry.',
    'retry_job_documents_skipped_backoff_total{collection}':
      'Documents skipped due to backoff delay.',
    'retry_job_documents_max_retries_exceeded_total{collection}':
      'Documents exceeding max retry attempts.',
    'retry_job_runs_total{status}': 'Retry job executions.',
    'retry_job_errors_total{error_type}': 'Errors encountered during the retry job.',
    'retry_job_stuck_documents{collection}': 'Current count of stuck documents.',
    'retry_job_failed_documents{collection}': 'Current count of failed documents (max retries).',
    'retry_job_documents_waiting{collection}': 'Documents whose event waits to be sent.',
    retry_job_duration_seconds: 'Time taken to complete the retry job.',
    retry_job_last_success_timestamp_seconds: 'When the last successful run ended.',
    'redrive_oldest_stuck_document_timestamp_seconds{collection}':
      'When a sweep first found the document that has been stuck for the longest time. Absent: none is stuck.',
  },
  audit: {
    redrive_audit_unsealed: 'Whether the audit log has blocks without an anchor: 1 or 0.',
    redrive_audit_anchors_total: 'Anchors of the audit log.',
    redrive_audit_last_seal_timestamp_seconds: 'When the audit log was last sealed. Absent: never.',
  },
} as const;

const BY_SOURCE = { ...OWN, ...OF_THE_STORE };
type Keys<T> = T extends unknown ? keyof T : never;
type Written = Keys<(typeof BY_SOURCE)[MetricSource]>;
export type MetricName = Written extends infer W
  ? W extends `${infer N}{${string}`
    ? N
    : W
  : never;

const BUCKETS: Readonly<Partial<Record<string, readonly number[]>>> = {
  redrive_attempt_duration_seconds: DURATIONS,
  redrive_operation_duration_seconds: WAITS,
  redrive_operation_attempts: ATTEMPTS,
  redrive_retry_delay_seconds: WAITS,
  event_retry_latency_seconds: WAITS,
  event_retry_attempt_count: ATTEMPTS,
  retry_job_duration_seconds: RUNS,
};

/** Values that may be unknown: times, thresholds, and the numbers of sweeps before the first one. Runs are 0 then, for alerts. */
const MAY_BE_ABSENT =
  /^retry_job_(?!runs_total$)|_timestamp_seconds$|_lag_seconds$|_info$|_(running|waiting|threshold)$/;

function entryOf(source: MetricSource, written: string, meaning: string): MetricEntry {
  const [name = '', list] = written.replace('}', '').split('{');
  const buckets = BUCKETS[name];
  const type = buckets ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge';
  const unit = name.endsWith('_seconds') ? 'seconds' : undefined;
  const zero = !MAY_BE_ABSENT.test(name);
  return { name, type, meaning, labels: list?.split(',') ?? [], source, unit, buckets, zero };
}

// The keys of the table above are sources.
const SOURCES = Object.keys(BY_SOURCE) as readonly MetricSource[];

/** Every metric, those of one source together. */
export const METRICS: readonly MetricEntry[] = SOURCES.flatMap((source) =>
  Object.entries(BY_SOURCE[source]).map(([written, meaning]) => entryOf(source, written, meaning)),
);

/** Whether all processes on one store report the same values of it. */
export function isOfTheStore({ source }: Pick<MetricEntry, 'source'>): boolean {
  return source in OF_THE_STORE;
}
