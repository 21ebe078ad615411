import type { DashboardSpec } from './build-dashboard.ts';

// Metrics of the store have the same value in every process: hence max. Counters are of one process: hence sum.

/** The five panels of the retry policy of documents. */
const RETRY_POLICY_MONITORING: DashboardSpec = {
  title: 'Retry Policy Monitoring',
  uid: 'redrive-documents',
  description: 'Sweeps of stuck documents.',
  rows: {
    'Stuck documents': [
      {
        title: 'Stuck Documents',
        description: 'Documents that are stuck, as the last sweep counted them.',
        kind: 'gauge',
        unit: 'short',
        queries: { 'max by (collection) (retry_job_stuck_documents)': '{{collection}}' },
        thresholds: [50, 200],
      },
      {
        title: 'Retry Rate',
        description: 'Documents whose event was sent again, per second.',
        unit: 'ops',
        queries: {
          'max by (collection) (rate(retry_job_documents_requeued_total[5m]))': '{{collection}}',
        },
      },
      {
        title: 'Max Retries Exceeded',
        description:
          'Documents that used up their attempts. MaxRetriesExceededCritical watches it.',
        kind: 'stat',
        unit: 'short',
        queries: {
          'max by (collection) (retry_job_documents_max_retries_exceeded_total)': '{{collection}}',
        },
      },
    ],
    Sweeps: [
      {
        title: 'Backoff Skipped',
        description: 'Stuck documents that waited for their back-off, over all sweeps.',
        unit: 'short',
        queries: {
          'max by (collection) (retry_job_documents_skipped_backoff_total)': '{{collection}}',
        },
      },
      {
        title: 'Job Duration',
        description: 'How many sweeps of an hour took how long.',
        kind: 'heatmap',
        unit: 's',
        queries: { 'max by (le) (increase(retry_job_duration_seconds_bucket[1h]))': '{{le}}' },
      },
    ],
  },
};

/** The ladder, from calls to people. */
const REDRIVE: DashboardSpec = {
  title: 'Redrive',
  uid: 'redrive',
  description: 'Operations, retries, events, jobs and dead letters of all workers.',
  rows: {
    Operations: [
      {
        title: 'Operations by result',
        description: 'Operations that ended, on all rungs.',
        unit: 'ops',
        queries: {
          'sum by (result) (rate(redrive_operations_total[$__rate_interval]))': '{{result}}',
        },
      },
      {
        title: 'Failed operations',
        description: 'The share of operations that failed. The objective is 0.1 % in 30 days.',
        unit: 'percentunit',
        queries: {
          'redrive:operation_failures:ratio_rate5m': '5 minutes',
          'redrive:operation_failures:ratio_rate1h': '1 hour',
        },
        thresholds: [0.006, 0.0144],
      },
      {
        title: 'Retries per operation',
        description: 'Above 1 there are more retries than operations.',
        unit: 'short',
        queries: {
          'sum(rate(redrive_retries_total[$__rate_interval])) / sum(rate(redrive_operations_total[$__rate_interval]))':
            'retries per operation',
        },
        thresholds: [0.5, 1],
      },
      {
        title: 'Retries per minute',
        description:
          'Of each category. RedriveRetryRateHigh compares them with `alerts` of redrive.yaml.',
        unit: 'short',
        queries: {
          'sum by (category) (rate(redrive_category_retries_total[$__rate_interval])) * 60':
            '{{category}}',
        },
      },
    ],
    Attempts: [
      {
        title: 'Duration of attempts',
        description: 'Half and 99 % of all attempts were not longer.',
        unit: 's',
        queries: {
          'histogram_quantile(0.5, sum by (le) (rate(redrive_attempt_duration_seconds_bucket[$__rate_interval])))':
            'p50',
          'histogram_quantile(0.99, sum by (le) (rate(redrive_attempt_duration_seconds_bucket[$__rate_interval])))':
            'p99',
        },
      },
      {
        title: 'Delay before a retry',
        description: 'Half of all delays were not longer, by rung.',
        unit: 's',
        queries: {
          'histogram_quantile(0.5, sum by (rung, le) (rate(redrive_retry_delay_seconds_bucket[$__rate_interval])))':
            '{{rung}}',
        },
      },
      {
        title: 'Refused retries',
        description: 'Attempts that were not made, by cause.',
        unit: 'ops',
        queries: {
          'sum by (cause) (rate(redrive_refusals_total[$__rate_interval]))': '{{cause}}',
        },
      },
    ],
    Events: [
      {
        title: 'Events recovered by a retry',
        description: 'Events that succeeded after a retry.',
        unit: 'ops',
        queries: {
          'sum by (service) (rate(event_retry_success_total[$__rate_interval]))': '{{service}}',
        },
      },
      {
        title: 'Events dead-lettered',
        description: 'Events that ran and became dead letters.',
        unit: 'ops',
        queries: {
          'sum by (service, reason) (rate(event_retry_dlq_total[$__rate_interval]))':
            '{{service}} {{reason}}',
        },
      },
      {
        title: 'Messages in the brokers',
        description: 'Messages that wait to be taken.',
        unit: 'short',
        queries: { 'max by (service) (redrive_source_waiting)': '{{service}}' },
      },
    ],
    Jobs: [
      {
        title: 'Jobs by state',
        description: 'Jobs in the store.',
        unit: 'short',
        queries: { 'sum by (state) (max by (operation, state) (redrive_jobs))': '{{state}}' },
      },
      {
        title: 'Age of the oldest ready job',
        description: '0: no job is ready.',
        unit: 's',
        queries: {
          'time() - max(redrive_oldest_ready_job_timestamp_seconds) or on () vector(0)': 'age',
        },
      },
      {
        title: 'Parked jobs',
        description: 'Jobs that wait for a dependency or a person, by cause.',
        unit: 'short',
        queries: { 'max by (cause) (redrive_parked_jobs)': '{{cause}}' },
      },
      {
        title: 'Open breakers and closed gates',
        description: '1: the dependency gets no calls.',
        unit: 'short',
        queries: {
          'max by (dependency) (redrive_breaker_state{state="open"})': 'breaker {{dependency}}',
          'max by (dependency) (redrive_gates_closed)': 'gate {{dependency}}',
        },
      },
      {
        title: 'Kill switches and pauses',
        description: 'Set by people.',
        unit: 'short',
        queries: {
          'max by (scope) (redrive_kill_switches_engaged)': 'kill switch {{scope}}',
          'max by (scope) (redrive_pauses)': 'pause {{scope}}',
        },
      },
      {
        title: 'Lost leases',
        description: 'Leases that expired, and results that came too late.',
        unit: 'ops',
        queries: {
          'sum(rate(redrive_lease_losses_total[$__rate_interval]))': 'lost leases',
          'sum(rate(redrive_stale_writes_refused_total[$__rate_interval]))': 'refused results',
        },
      },
    ],
    People: [
      {
        title: 'Dead letters',
        description: 'Dead letters in the store, counted to 10,000.',
        kind: 'stat',
        unit: 'short',
        queries: { 'max(redrive_dead_letters)': 'dead letters' },
      },
      {
        title: 'New dead letters',
        description: 'Jobs that became dead letters, and requeued ones that did so again.',
        unit: 'ops',
        queries: {
          'sum by (operation) (rate(redrive_dead_letters_added_total[$__rate_interval]))':
            '{{operation}}',
          'sum by (operation) (rate(redrive_dead_letters_returned_total[$__rate_interval]))':
            '{{operation}} again',
        },
      },
      {
        title: 'Removed dead letters',
        description: 'Dead letters that were sent back, purged or deleted by retention.',
        unit: 'ops',
        queries: {
          'sum by (act) (rate(redrive_dead_letters_removed_total[$__rate_interval]))': '{{act}}',
        },
      },
      {
        title: 'Age of the oldest dead letter',
        description: '0: there are none. RedriveDeadLetterTooOld fires after a week.',
        kind: 'stat',
        unit: 's',
        queries: {
          'time() - max(redrive_oldest_dead_letter_timestamp_seconds) or on () vector(0)': 'age',
        },
        thresholds: [86_400, 604_800],
      },
    ],
    Processes: [
      {
        title: 'Workers',
        description: 'Processes that report metrics, and those whose store answers.',
        unit: 'short',
        queries: {
          'sum(redrive_build_info)': 'running',
          'sum(redrive_store_up)': 'with a store',
        },
      },
      {
        title: 'Event loop lag',
        description: 'The longest delay of each process since the last scrape.',
        unit: 's',
        queries: {
          'max by (instance) (redrive_event_loop_lag_seconds{stat="max"})': '{{instance}}',
        },
      },
      {
        title: 'Unanswered questions to the store',
        description: 'Metrics of the store that are missing, by question.',
        unit: 'ops',
        queries: {
          'sum by (collector) (rate(redrive_collector_failures_total[$__rate_interval]))':
            '{{collector}}',
        },
      },
    ],
  },
};

/** Every dashboard, by the name of its file in deploy/grafana. */
export const DASHBOARDS: Readonly<Record<string, DashboardSpec>> = {
  redrive: REDRIVE,
  'retry-policy-monitoring': RETRY_POLICY_MONITORING,
};
