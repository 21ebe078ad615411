// Made from docs/reference/worker-log.md and reason-codes.md by `npx vitest run scripts/catalogue-pages.test.ts -u`.
import type { ReasonCode } from '@redrive/core';
import type { LogEventEntry } from './metric.ts';

export const LOG_EVENTS: readonly LogEventEntry[] = [
  {
    name: 'attempt.started',
    level: 'info',
    meaning: 'The first attempt of a job starts.',
  },
  {
    name: 'retry.started',
    level: 'info',
    meaning: 'A later attempt starts.',
  },
  {
    name: 'job.succeeded',
    level: 'info',
    meaning: 'The first attempt succeeded.',
  },
  {
    name: 'retry.last',
    level: 'warn',
    meaning: 'The last attempt of an event starts: if it fails, the event is a dead letter.',
  },
  {
    name: 'retry.late',
    level: 'warn',
    meaning:
      'An event has used 80 % of its time (`ttl`). If it has not succeeded when that time ends, it becomes a dead letter.',
  },
  {
    name: 'retry.handed_over',
    level: 'info',
    meaning: 'A consumer of your own has stored the event: it continues as a job.',
  },
  {
    name: 'retry.succeeded',
    level: 'info',
    meaning: 'A later attempt succeeded.',
  },
  {
    name: 'retry.scheduled',
    level: 'info',
    meaning:
      'Nothing, unless one handler does it all the time: `redrive jobs list --handler <name>`.',
  },
  {
    name: 'job.parked',
    level: 'info',
    meaning:
      'The attempt did not start, or failed at no charge, because of `reason`. The line names the event that releases the job; `redrive park list` lists all causes.',
  },
  {
    name: 'job.cancelled',
    level: 'info',
    meaning: 'A person or a program cancelled it.',
  },
  {
    name: 'retry.exhausted',
    level: 'error',
    meaning: 'A job has used up its attempts, and is a dead letter: `redrive dlq show <job>`.',
  },
  {
    name: 'job.expired',
    level: 'error',
    meaning:
      'Jobs of a handler and queue became dead letters, because their deadline passed while they waited: `redrive dlq list --handler <name>`. If it happens often, start more workers, or look for a pause.',
  },
  {
    name: 'job.dead',
    level: 'error',
    meaning:
      'A job was given up for another reason, and is a dead letter: `redrive dlq show <job>`.',
  },
  {
    name: 'breaker.open',
    level: 'warn',
    meaning:
      'The dependency is down, and its jobs are parked. `redrive breakers show <dependency>` says when it is tried again.',
  },
  {
    name: 'breaker.half_open',
    level: 'info',
    meaning: 'A probe starts.',
  },
  {
    name: 'breaker.closed',
    level: 'info',
    meaning: 'The dependency is back, and its parked jobs are released at a pace.',
  },
  {
    name: 'kill.seen',
    level: 'warn',
    meaning: 'A kill switch was engaged or released: `redrive kill list`.',
  },
  {
    name: 'kill.gone',
    level: 'warn',
    meaning: 'A kill switch was engaged or released: `redrive kill list`.',
  },
  {
    name: 'pause.seen',
    level: 'warn',
    meaning: 'A queue or a handler was paused or resumed: `redrive queues list`.',
  },
  {
    name: 'pause.gone',
    level: 'warn',
    meaning: 'A queue or a handler was paused or resumed: `redrive queues list`.',
  },
  {
    name: 'gate.seen',
    level: 'warn',
    meaning:
      'A dependency asked for a pause, or an operator released its gate early: `redrive gates list`. A gate whose time has passed has no line.',
  },
  {
    name: 'gate.gone',
    level: 'warn',
    meaning:
      'A dependency asked for a pause, or an operator released its gate early: `redrive gates list`. A gate whose time has passed has no line.',
  },
  {
    name: 'controls.unconfirmed',
    level: 'error',
    meaning:
      'The worker could not read for a second what is stopped, so it starts nothing. Look at the store and the network. If both answer, the store or the process gets too little processor time, for example while another process adds a million jobs on the same machine: `controls.confirmed` follows within a second, and nothing is lost. A process that stalled for a moment asks once more before it reports this.',
  },
  {
    name: 'controls.confirmed',
    level: 'info',
    meaning: 'It starts jobs again.',
  },
  {
    name: 'worker.started',
    level: 'info',
    meaning: 'The worker started.',
  },
  {
    name: 'worker.stopping',
    level: 'info',
    meaning: 'A signal came, or with `--until-idle` nothing is left to do.',
  },
  {
    name: 'worker.stopped',
    level: 'warn',
    meaning:
      'Handlers that ignore their signal were abandoned; their jobs run again when their leases have expired. Pass the signal on.',
  },
  {
    name: 'worker.report_failed',
    level: 'warn',
    meaning:
      "The worker could not report to the store that it is alive, so `redrive workers list` does not have it, or shows it as gone. The worker continues, and tries again. Logged once until a report succeeds. If the store answers other calls, grant the worker's role the rights on the table `workers`.",
  },
  {
    name: 'events.dead_letters_unpublished',
    level: 'warn',
    meaning:
      'In code alone: a source has `publishTo`, which gets messages above 1 MiB, and the jobs have no handler that publishes its dead letters. Add the handler and its schedule, or declare the handler with `runsElsewhere()` if another process has it.',
  },
  {
    name: 'attempt.stalled',
    level: 'warn',
    meaning:
      "The attempt has reported no other progress for its handler's `stallAfterMs`. With `onStall: 'interrupt'` it is aborted and fails. Otherwise look at what it waits for; `redrive jobs watch ID` shows whether it moves.",
  },
  {
    name: 'lease.lost',
    level: 'warn',
    meaning:
      'The worker could not extend a lease in time: the store was away, or the event loop was blocked. The attempt is aborted, and the job runs again. Where it happens often, see what a process should know.',
  },
  {
    name: 'job.result_altered',
    level: 'warn',
    meaning:
      'A result has parts that JSON cannot hold: `NaN` and `Infinity` were stored as `null`, a `Map` or a `Set` as `{}`; with a bigint or a cycle in it no result is stored. The job has succeeded; let the handler return plain data.',
  },
  {
    name: 'attempt.error',
    level: 'error',
    meaning:
      'A breaker, a budget or a classifier of the application threw, or a handler returned something that cannot be used. The attempt was settled nevertheless. Correct the function that threw.',
  },
  {
    name: 'lease.rescued',
    level: 'warn',
    meaning:
      'The lease of another worker ran out, and this worker settled its job. Find out why that process stopped. A job that is lost `alone` again and again ends its process itself: what a crash costs.',
  },
  {
    name: 'settlement.refused',
    level: 'warn',
    meaning:
      'An attempt finished after its lease was lost, so its result was refused. Its effect may have been applied twice: see make an effect happen once.',
  },
  {
    name: 'policy.unknown',
    level: 'warn',
    meaning:
      "A job names a policy that does not exist, so the handler's policy is used. Add it to `redrive.yaml`, or correct the program that enqueues. Logged once per policy and handler.",
  },
  {
    name: 'policy.invalid',
    level: 'error',
    meaning:
      "The application's `policies` threw, or returned something that is not a policy. The last good policy of that name stays in force; if there is none, the handler's, or `runs.default`. Correct the function. Logged once until the answer changes.",
  },
  {
    name: 'schedule.missed',
    level: 'warn',
    meaning:
      'Ticks passed while no worker ran, or while the schedule was stopped, and were not enqueued. `redrive schedules run <name>` enqueues its job by hand.',
  },
  {
    name: 'schedule.skipped',
    level: 'warn',
    meaning:
      'The job of an earlier tick was unfinished, so the tick enqueued nothing. If it happens often, the job takes longer than the interval.',
  },
  {
    name: 'document.failed',
    level: 'error',
    meaning:
      'A document has used up its attempts: it is marked as failed, and is a dead letter of the handler `documents.<collection>`.',
  },
  {
    name: 'document.invalid',
    level: 'warn',
    meaning:
      'A sweep found a document whose count, time or id cannot be right. It is skipped and not changed.',
  },
  {
    name: 'sweep.stopped',
    level: 'warn',
    meaning:
      'A sweep claimed no documents, because of a kill switch, a pause, a breaker, a gate or a hold.',
  },
  {
    name: 'sweep.failed',
    level: 'error',
    meaning:
      'The sweep of a collection failed. The other collections are swept, and the next sweep continues.',
  },
  {
    name: 'idle',
    level: 'info',
    meaning:
      'With `--until-idle`: nothing is left to do. `left` counts the jobs that a kill switch or a pause stops.',
  },
  {
    name: 'idle.dead_letters',
    level: 'info',
    meaning:
      'With `--until-idle`: no jobs are left, and dead letters of this source are published first. It ends within 25 seconds, unless the broker is away. `redrive schedules pause <name>` ends the wait.',
  },
  {
    name: 'idle.left',
    level: 'warn',
    meaning:
      'With `--until-idle`: it ends without these jobs, because a kill switch or a pause stops them. `redrive kill release`, `redrive queues resume <name>`.',
  },
  {
    name: 'idle.no_handler',
    level: 'warn',
    meaning:
      'With `--until-idle`: it never becomes idle while jobs wait for a handler that it does not have. Start a worker that has it, or cancel them.',
  },
  {
    name: 'demo.started',
    level: 'info',
    meaning: 'With `--demo`: the demo started.',
  },
  {
    name: 'demo.second',
    level: 'info',
    meaning:
      'Another process runs a demo on this store: this one is a second worker and adds no load.',
  },
  {
    name: 'shop.crashed',
    level: 'warn',
    meaning:
      'Nothing: part of the demo. Its packing service crashed and forgot these orders; a sweep finds them.',
  },
  {
    name: 'shop.person',
    level: 'info',
    meaning:
      'Nothing: part of the demo. Its person on call has acknowledged, repaired or requeued something.',
  },
  {
    name: 'shop.order_failed',
    level: 'warn',
    meaning: 'An order of the demo was not placed, for example because the disk is full.',
  },
  {
    name: 'store.opened',
    level: 'info',
    meaning: 'The store is open.',
  },
  {
    name: 'store.unavailable',
    level: 'error',
    meaning:
      'The store does not answer, or cannot write (its disk is full). Nothing is lost: the worker tries again by itself. Bring the store back.',
  },
  {
    name: 'store.back',
    level: 'info',
    meaning: 'The store answers again.',
  },
  {
    name: 'store.warning',
    level: 'warn',
    meaning:
      'At the start the worker found a risk: other users can read the files of a SQLite store, or a Postgres server can lose commits that it has acknowledged. The message says what to do; `redrive doctor` repeats it. Later: a Postgres server has lost commits that it had confirmed to this process.',
  },
  {
    name: 'job.set_aside',
    level: 'error',
    meaning:
      'The row of a job cannot be read: another program has written it, or the disk is damaged. The job is set aside; other jobs run. `redrive doctor` lists such rows and says what to do.',
  },
  {
    name: 'store.error',
    level: 'error',
    meaning:
      'The store answers, but something in it cannot be read; the worker continues. Logged once a minute at most. The error names what cannot be read.',
  },
  {
    name: 'retention',
    level: 'info',
    meaning: 'Finished jobs were deleted, or dead letters archived and deleted.',
  },
  {
    name: 'dead_letters.removed',
    level: 'info',
    meaning:
      'Dead letters were sent back, purged or deleted, by any process; this worker has sealed the records of it: `redrive audit list --event requeue`.',
  },
  {
    name: 'retention.archive_failed',
    level: 'error',
    meaning:
      'The archive did not take dead letters. They stay, and it is tried again. Look at the directory and its disk.',
  },
  {
    name: 'audit.compressed',
    level: 'info',
    meaning: 'Old blocks of the audit log were compressed.',
  },
  {
    name: 'audit.seal_failed',
    level: 'error',
    meaning:
      'The audit log could not be sealed. The worker continues, and tries again. Logged once until sealing succeeds. If it lasts, check the log with `redrive audit verify`.',
  },
  {
    name: 'config.changed',
    level: 'info',
    meaning: 'The configuration changed.',
  },
  {
    name: 'config.needs_restart',
    level: 'warn',
    meaning: 'These values take effect at the next start.',
  },
  {
    name: 'config.problem',
    level: 'error',
    meaning:
      'After an error the last good configuration stays in force: `redrive config validate`.',
  },
  {
    name: 'causes.applied',
    level: 'info',
    meaning:
      'The rules of causes of the configuration are in force; the bulk operation `operation` moves the letters that died before.',
  },
  {
    name: 'causes.not_applied',
    level: 'warn',
    meaning:
      'The worker tries again every five seconds. If the reason is `control_conflict`, two files set rules at the same time.',
  },
  {
    name: 'config.not_noted',
    level: 'warn',
    meaning:
      'The store was away until the end, so these changes are not in the audit log. The log above has them.',
  },
  {
    name: 'health.listening',
    level: 'info',
    meaning: 'Health is served on this port.',
  },
  {
    name: 'metrics.not_noted',
    level: 'warn',
    meaning:
      'The audit log could not be written, so scrapes of `/metrics` are not recorded yet. They are answered and counted, and recorded when the store is back. Logged once until then.',
  },
  {
    name: 'metrics.push_failed',
    level: 'warn',
    meaning:
      'The metrics of a sweep were not pushed to the Pushgateway. The sweep is not affected. The numbers are in the store, and the next push has them. Check `PUSHGATEWAY_URL`.',
  },
  {
    name: 'source.checked',
    level: 'warn',
    meaning:
      'The broker has a setting that may lose messages, or did not answer. The line says what to do.',
  },
  {
    name: 'source.state',
    level: 'warn',
    meaning:
      '`taking` and `stopped` are info. Otherwise the source takes nothing, and the line says why: states.',
  },
  {
    name: 'health.unavailable',
    level: 'warn',
    meaning:
      'The default port is taken, by another worker on this machine for example, so health is not served. Name another one with `--health-port`.',
  },
  {
    name: 'console.listening',
    level: 'info',
    meaning: 'The HTTP API of `--console` is served at this address.',
  },
  {
    name: 'console.unavailable',
    level: 'warn',
    meaning:
      'The HTTP API of `--console` is not served; the line has the cause. The worker works without it. Name another port: `--console 9481`.',
  },
  {
    name: 'console.error',
    level: 'error',
    meaning:
      'A request to the HTTP API failed, or a look could not be recorded. The worker is not affected. Check the store.',
  },
];

export const NOTICES: readonly string[] = [
  'started',
  'stopping',
  'stopped',
  'lease_lost',
  'attempt_stalled',
  'attempt_error',
  'result_altered',
  'stale_settlement',
  'rescued',
  'unknown_policy',
  'invalid_policy',
  'store_unavailable',
  'store_back',
  'job_set_aside',
  'store_error',
  'expired',
  'pruned',
  'archived',
  'letters_removed',
  'archive_failed',
  'control_seen',
  'control_gone',
  'controls_unconfirmed',
  'controls_confirmed',
  'ticks_missed',
  'tick_skipped',
  'document_failed',
  'document_invalid',
  'sweep_stopped',
  'sweep_failed',
  'audit_compressed',
  'report_failed',
  'dead_letters_unpublished',
  'seal_failed',
];

export const REASON_CODES: Readonly<Record<ReasonCode, string>> = {
  succeeded: 'The attempt succeeded.',
  retryable_error:
    'The attempt failed with an error that may not occur again. The next attempt follows after back-off and jitter.',
  rate_limited:
    'The dependency limits the rate of calls. The next attempt follows after the back-off or the hint, whichever is longer; where the wait costs no attempt, after the hint alone.',
  interrupted: 'A graceful stop ended the attempt. The item is due again at once, for any worker.',
  lease_lost:
    'The worker did not renew the lease until it ran out, because it crashed or stood still. The effect of the attempt is unknown. The loss is charged (`lease_lost`) only if the worker held no other item. If it held several, the item that ended the process is unknown, and the attempt is refunded (`process_lost`). After the first loss the item is due again at once. After further losses in a row it waits for its back-off if it was charged, otherwise for a random part of a second, because this item may be the one that ends its process.',
  handed_over:
    'The wait was longer than the horizon, and the next rung has taken the session. The call ends with a `RetryError` with this reason; the same session continues there, with all attempts of that rung.',
  final_error:
    'Another attempt would fail again. A call throws the error unchanged; a stored item becomes a dead letter.',
  inner_gave_up:
    'A `retry` inside the operation gave up. The outer call does not repeat it, because retries would multiply; set `retryInnerFailures` to repeat it. On a stored rung a give-up inside is an ordinary failure of the attempt.',
  cancelled:
    "The caller aborted. The call rejects with the signal's reason; this counts as a failure nowhere.",
  policy_disabled: 'The policy has `enabled: false`: it allows one attempt.',
  effect_unknown:
    'The attempt may or may not have had its effect. The handler, or the option `onUnknown` of a call, asked not to risk a second one, or the request was a POST without an Idempotency-Key. A person or the caller decides.',
  effect_applied:
    'The attempt failed but is known to have had its effect, and the handler asked not to repeat it. A person decides.',
  invalid_message: 'The body is not JSON, or not UTF-8. The dead letter has its bytes.',
  message_too_large:
    'The body is larger than 1 MiB. The dead letter has its beginning and its SHA-256 hash.',
  idempotency_conflict:
    'A stored event has the same idempotency key and another body, source or handler. The dead letter has this body; the stored event stays as it is.',
  max_attempts_exceeded:
    '`maxAttempts` attempts have failed or were lost. `retryAt` is the time at which the next attempt would have been. A stored item gets this reason without another attempt if its policy was changed and now allows no more attempts than the item has had.',
  allowance_exhausted:
    "The calls inside one attempt, or inside one outer call, count their retries together; the count has reached this call's `maxAttempts` - 1.",
  ttl_exceeded:
    "The deadline (`ttlMs`, or the job's own) has passed, or would pass before the next attempt. A stored item that waits at its deadline gets this reason without another attempt.",
  beyond_horizon:
    'The next wait is longer than `horizonMs`, the longest wait of this rung. With `handOver` the session continues on the next rung. Without it, or if the next rung did not accept it, the session gives up; `retryAt` is the end of the wait.',
  breaker_open:
    "The dependency's circuit breaker is open, or will still be open after the wait. `retryAt` is the time of its next probe.",
  budget_exhausted:
    "The dependency's retry budget is empty: there were too many retries for its successes. An outer call does not repeat this, even with `retryInnerFailures`.",
  gate_closed:
    'All jobs of this dependency, credential and tenant wait until the time of a Retry-After.',
  kill_switch: 'An operator has engaged a kill switch.',
};
