/** The life of an alert: its input, minute by minute, and when it is silent, fires and is resolved. */
export interface AlertTimeline {
  readonly alert: string;
  /** Values in the notation of promtool: `0x5 1x20` is six times 0, then 21 times 1. */
  readonly series: Readonly<Record<string, string>>;
  /** In minutes. */
  readonly silentAt: number;
  readonly firesAt: number;
  readonly resolvedAt: number;
  /** Between two values, in minutes. Default 1. */
  readonly every?: number;
}

export const ALERT_TIMELINES: readonly AlertTimeline[] = [
  {
    alert: 'RedriveDeadLettersGrowing',
    series: {
      'redrive_dead_letters_added_total{operation="import",reason="max_attempts"}':
        '0x60 0+1x60 60x120',
      // A few an hour are daily life.
      'redrive_dead_letters_added_total{operation="mail",reason="max_attempts"}': '0x30 5x210',
    },
    silentAt: 60,
    firesAt: 100,
    resolvedAt: 200,
  },
  {
    alert: 'RedriveDeadLetterTooOld',
    series: { redrive_oldest_dead_letter_timestamp_seconds: '0x350 600000x50' },
    every: 30,
    silentAt: 9_600,
    firesAt: 10_200,
    resolvedAt: 10_800,
  },
  {
    alert: 'RedriveEventsDeadLettered',
    series: {
      'event_retry_dlq_total{service="chunking",reason="ttl_exceeded"}': '0x10 1x60',
      'event_retry_dlq_total{service="embedding",reason="ttl_exceeded"}': '3x70',
    },
    silentAt: 10,
    firesAt: 18,
    resolvedAt: 40,
  },
  {
    // Messages that never ran have no record: two processes report the source's count.
    alert: 'RedriveEventsDeadLettered',
    series: {
      'redrive_source_dead_lettered_total{service="chunking",instance="a"}': '0x10 7x60',
      'redrive_source_dead_lettered_total{service="chunking",instance="b"}': '0x10 7x60',
      'redrive_source_dead_lettered_total{service="embedding",instance="a"}': '3x70',
    },
    silentAt: 10,
    firesAt: 18,
    resolvedAt: 40,
  },
  {
    alert: 'RedriveRequeuedFailAgain',
    series: { 'redrive_dead_letters_returned_total{operation="import"}': '0x10 0+1x20 20x90' },
    silentAt: 10,
    firesAt: 30,
    resolvedAt: 115,
  },
  {
    alert: 'RedriveRetryBudgetExhausted',
    series: {
      'redrive_refusals_total{operation="pay",cause="budget_exhausted"}': '0x10 1x60',
      // Used-up attempts are another matter.
      'redrive_refusals_total{operation="pay",cause="max_attempts_exceeded"}': '0+1x70',
    },
    silentAt: 10,
    firesAt: 18,
    resolvedAt: 40,
  },
  {
    alert: 'RedriveRetryStorm',
    series: {
      'redrive_retries_total{operation="pay"}': '0x10 0+60x40 2400x60',
      'redrive_operations_total{operation="pay",result="recovered"}': '0+30x110',
      'redrive_retries_total{operation="mail"}': '0+6x110',
      'redrive_operations_total{operation="mail",result="first_try"}': '0+30x110',
    },
    silentAt: 10,
    firesAt: 35,
    resolvedAt: 80,
  },
  {
    // 600 retries a minute beside 600 calls; no worker reports a threshold, so it is 100.
    alert: 'RedriveRetryRateHigh',
    series: {
      'redrive_category_retries_total{category="RETRY_KV_GET"}': '0x10 0+600x40 24000x60',
      'redrive_category_operations_total{category="RETRY_KV_GET",result="recovered"}': '0+600x110',
      'redrive_category_retries_total{category="RETRY_KV_PUT"}': '0+90x110',
    },
    silentAt: 10,
    firesAt: 25,
    resolvedAt: 65,
  },
  {
    // The threshold of redrive.yaml, which two workers report; 300 retries a minute of two processes.
    alert: 'RedriveRetryRateHigh',
    series: {
      'redrive_category_retries_total{category="RETRY_KV_GET",instance="a"}':
        '0x10 0+150x40 6000x60',
      'redrive_category_retries_total{category="RETRY_KV_GET",instance="b"}':
        '0x10 0+150x40 6000x60',
      'redrive_retries_per_minute_threshold{category="RETRY_KV_GET",instance="a"}': '250x110',
      'redrive_retries_per_minute_threshold{category="RETRY_KV_GET",instance="b"}': '250x110',
      // A category with more retries, and a threshold of its own.
      'redrive_category_retries_total{category="none",instance="a"}': '0+500x110',
      'redrive_retries_per_minute_threshold{category="none",instance="a"}': '600x110',
    },
    silentAt: 10,
    firesAt: 25,
    resolvedAt: 65,
  },
  {
    alert: 'RedriveBreakerOpen',
    series: {
      'redrive_breaker_state{dependency="bank",state="open"}': '0x5 1x30 0x20',
      // Forced: that is another alert.
      'redrive_breaker_state{dependency="mail",state="open"}': '1x60',
      'redrive_breaker_forced{dependency="mail",state="open"}': '1x60',
    },
    silentAt: 5,
    firesAt: 20,
    resolvedAt: 45,
  },
  {
    alert: 'RedriveBreakerForced',
    series: { 'redrive_breaker_forced{dependency="bank",state="closed"}': '0x5 1x90 0x20' },
    silentAt: 5,
    firesAt: 80,
    resolvedAt: 105,
  },
  {
    alert: 'RedriveKillSwitchEngaged',
    series: {
      'redrive_kill_switches_engaged{scope="queue"}': '0x30 1x30 0x20',
      'redrive_pauses{scope="queue"}': '1x80',
    },
    silentAt: 30,
    firesAt: 50,
    resolvedAt: 70,
  },
  {
    alert: 'RedriveLeaseLosses',
    series: { 'redrive_lease_losses_total{operation="import"}': '0x10 0+1x20 20x40' },
    silentAt: 10,
    firesAt: 28,
    resolvedAt: 60,
  },
  {
    alert: 'RedriveStoreAway',
    series: { 'redrive_store_up{instance="a"}': '1x5 0x20 1x20' },
    silentAt: 5,
    firesAt: 15,
    resolvedAt: 35,
  },
  {
    alert: 'RedriveAuditNotSealing',
    series: {
      redrive_audit_unsealed: '1x90',
      redrive_audit_last_seal_timestamp_seconds: '0+60x30 1800x38 4200+60x20',
    },
    silentAt: 30,
    firesAt: 55,
    resolvedAt: 75,
  },
  {
    alert: 'RedriveConfigReloadFailed',
    series: { 'redrive_config_last_reload_successful{instance="a"}': '1x5 0x20 1x20' },
    silentAt: 5,
    firesAt: 15,
    resolvedAt: 35,
  },
  {
    alert: 'RedriveMetricsStale',
    series: {
      'redrive_collector_success_timestamp_seconds{collector="counts"}':
        '0+60x10 600x29 2460+60x20',
    },
    silentAt: 10,
    firesAt: 25,
    resolvedAt: 50,
  },
  {
    alert: 'RedriveMetricsStale',
    series: {
      // The store has never answered.
      'redrive_collector_failures_total{instance="a",collector="counts"}': '1x5 1+1x30 31x30',
      'redrive_collector_success_timestamp_seconds{instance="a",collector="counts"}':
        '_x36 2160+60x30',
    },
    silentAt: 5,
    firesAt: 20,
    resolvedAt: 50,
  },
  {
    alert: 'RedriveNoWorker',
    series: { 'redrive_build_info{instance="a"}': '1x10 _x20 1x20' },
    silentAt: 10,
    firesAt: 25,
    resolvedAt: 45,
  },
  {
    alert: 'RedriveDeliveryBurnFast',
    series: {
      'redrive_operations_total{operation="pay",result="first_try"}': '0+100x300',
      'redrive_operations_total{operation="pay",result="exhausted"}': '0x120 0+5x120 600x60',
      // Neither a success nor a failure.
      'redrive_operations_total{operation="pay",result="cancelled"}': '0+90x300',
    },
    silentAt: 120,
    firesAt: 230,
    resolvedAt: 260,
  },
  {
    alert: 'RedriveDeliveryBurnSlow',
    series: {
      'redrive_operations_total{operation="pay",result="first_try"}': '0+100x1000',
      'redrive_operations_total{operation="pay",result="non_retryable"}': '0x400 0+1x400 400x200',
    },
    silentAt: 400,
    firesAt: 790,
    resolvedAt: 880,
  },
  {
    alert: 'StuckDocumentsWarning',
    series: {
      'retry_job_stuck_documents{collection="archives"}': '50x10 51x90 50x20',
      // Of another process, from the same store.
      'retry_job_stuck_documents{collection="archives",instance="b"}': '50x10 51x90 50x20',
    },
    silentAt: 10,
    firesAt: 90,
    resolvedAt: 110,
  },
  {
    alert: 'MaxRetriesExceededCritical',
    series: {
      'retry_job_documents_max_retries_exceeded_total{collection="chunks"}': '0x60 0+1x60 60x120',
      'retry_job_documents_max_retries_exceeded_total{collection="threads"}': '0x30 5x210',
    },
    silentAt: 60,
    firesAt: 100,
    resolvedAt: 200,
  },
  {
    alert: 'RetryJobFailed',
    series: { 'retry_job_runs_total{status="failure"}': '7x10 8x90' },
    silentAt: 10,
    firesAt: 20,
    resolvedAt: 60,
  },
  {
    alert: 'RetryJobFailed',
    // The first run of all.
    series: { 'retry_job_runs_total{status="failure"}': '0x10 1x90' },
    silentAt: 10,
    firesAt: 20,
    resolvedAt: 60,
  },
  {
    alert: 'FailedDocumentsEscalation',
    series: { 'retry_job_failed_documents{collection="archives"}': '1000x10 1001x20 3x20' },
    silentAt: 10,
    firesAt: 25,
    resolvedAt: 40,
  },
  {
    alert: 'StuckDocumentsEscalation',
    series: {
      'redrive_oldest_stuck_document_timestamp_seconds{collection="archives"}': '0x350 600000x50',
      'redrive_oldest_stuck_document_timestamp_seconds{collection="chunks"}': '0+1800x400',
    },
    every: 30,
    silentAt: 9_600,
    firesAt: 10_200,
    resolvedAt: 10_800,
  },
  {
    alert: 'SweeperNotRunning',
    series: {
      // A run every 15 minutes; none between minute 45 and minute 120.
      'retry_job_runs_total{status="success"}': '1x14 2x14 3x14 4x74 5x14 6x20',
      'retry_job_runs_total{status="failure"}': '0x160',
    },
    silentAt: 60,
    firesAt: 90,
    resolvedAt: 130,
  },
  {
    alert: 'SweeperNotRunning',
    // All workers are dead: nothing reports the metric for 100 minutes.
    series: { 'retry_job_runs_total{status="success"}': '1x14 2x14 3x14 _x100 4x14 5x40' },
    silentAt: 45,
    firesAt: 140,
    resolvedAt: 175,
  },
  {
    alert: 'SweeperNotRunning',
    series: {
      // Nothing was swept before minute 200; the first runs are no reason for an alert.
      'retry_job_runs_total{status="failure"}': '0x320',
      'retry_job_runs_total{status="success"}': '0x200 1x14 2x14 3x65 4x30',
    },
    silentAt: 220,
    firesAt: 275,
    resolvedAt: 305,
  },
  {
    alert: 'SweeperNotRunning',
    // Prometheus is new, and sweeps have run for weeks.
    series: { 'retry_job_runs_total{status="success"}': '700x14 701x14 702x65 703x30' },
    silentAt: 12,
    firesAt: 75,
    resolvedAt: 105,
  },
];

/** The files for `promtool test rules`, by name: an alert that takes days is looked at less often. */
export function ruleTests(rulesFile: string): ReadonlyMap<string, string> {
  const byInterval = Map.groupBy(ALERT_TIMELINES, ({ every = 1 }) => every);
  const files = [...byInterval].map(([every, timelines]) => {
    const content = {
      rule_files: [rulesFile],
      evaluation_interval: `${every}m`,
      tests: timelines.map(testOf),
    };
    // JSON is YAML.
    return [`every-${every}m.yml`, JSON.stringify(content)] as const;
  });
  return new Map(files);
}

function testOf({ alert, series, every = 1, silentAt, firesAt, resolvedAt }: AlertTimeline) {
  const at = (minutes: number, value?: number) => ({
    expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
    eval_time: `${minutes}m`,
    exp_samples: value === undefined ? [] : [{ labels: '{}', value }],
  });
  return {
    interval: `${every}m`,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [at(silentAt), at(firesAt, 1), at(resolvedAt)],
  };
}
