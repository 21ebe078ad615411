import type { JsonField } from '../command/command-spec.ts';

/** A line of a list of jobs, under `at`. */
export const summaryFields = (at: string): JsonField[] => [
  { path: `${at}id`, type: 'text', meaning: 'sorts by time of creation' },
  { path: `${at}handler`, type: 'text', meaning: 'the handler of the job' },
  { path: `${at}subsystem`, type: 'text', meaning: "the first part of the handler's name" },
  {
    path: `${at}state`,
    type: 'text',
    meaning: 'scheduled, ready, parked, leased, succeeded, dead, cancelled or purged',
  },
  { path: `${at}queue`, type: 'text', meaning: 'the queue' },
  {
    path: `${at}tenant`,
    type: 'text or null',
    meaning: 'the tenant of the job; tenants take turns',
  },
  { path: `${at}priority`, type: 'number', meaning: 'higher first' },
  { path: `${at}tags`, type: 'list', meaning: 'texts' },
  {
    path: `${at}retry_count`,
    type: 'number',
    meaning: 'retries after charged attempts; 0 again after success',
  },
  {
    path: `${at}next_retry_at`,
    type: 'time or null',
    meaning: 'when a scheduled or parked job is due',
  },
  {
    path: `${at}error_class`,
    type: 'text or null',
    meaning: 'class of the newest failure: final, retryable or rate_limited; null after success',
  },
  { path: `${at}reason`, type: 'text or null', meaning: 'reason code of the current state' },
  { path: `${at}cause`, type: 'text or null', meaning: 'what a parked job waits for' },
  { path: `${at}submitted_at`, type: 'time', meaning: 'when it was enqueued' },
  { path: `${at}submitted_date`, type: 'time', meaning: 'the same time' },
  { path: `${at}deadline`, type: 'time or null', meaning: 'no attempt starts after it' },
  { path: `${at}finished_at`, type: 'time or null', meaning: 'when it finished' },
  { path: `${at}generation`, type: 'number', meaning: 'from 1; each requeue increments it' },
  {
    path: `${at}attempts_made`,
    type: 'number',
    meaning: 'attempts in this generation, the running one included',
  },
  { path: `${at}worker`, type: 'text or null', meaning: 'the worker that runs it now' },
  {
    path: `${at}cancel_requested`,
    type: 'boolean',
    meaning: 'true: the job runs, and a cancellation was requested',
  },
  {
    path: `${at}session_id`,
    type: 'text',
    meaning: 'the id of the job, or of the call that handed it over',
  },
  { path: `${at}correlation_id`, type: 'text', meaning: 'as given, else the session id' },
  {
    path: `${at}policy`,
    type: 'text or null',
    meaning: "the job's own, where it names one; of one job: else that of its newest attempt",
  },
  {
    path: `${at}unique_key`,
    type: 'text or null',
    meaning: 'the unique key: at most one unfinished job has it',
  },
  {
    path: `${at}last_error`,
    type: 'object or null',
    meaning: '`type` and `message` of the newest attempt’s error',
  },
];

const ATTEMPT_FIELDS: readonly JsonField[] = [
  {
    path: 'attempts',
    type: 'list',
    meaning: 'the first attempt and the newest ones, the oldest first',
  },
  {
    path: 'attempts[].attempt_number',
    type: 'number',
    meaning: 'in its generation, from 1, over all rungs',
  },
  { path: 'attempts[].generation', type: 'number', meaning: 'its generation' },
  {
    path: 'attempts[].rung',
    type: 'text',
    meaning: 'where it ran: job, or call before it was handed over',
  },
  { path: 'attempts[].timestamp', type: 'time', meaning: 'when it started' },
  { path: 'attempts[].delay', type: 'number', meaning: 'the wait before it, in seconds' },
  { path: 'attempts[].duration', type: 'number', meaning: 'in seconds' },
  { path: 'attempts[].success', type: 'boolean', meaning: 'true: it succeeded' },
  { path: 'attempts[].error', type: 'object or null', meaning: '`type` and `message`, sanitised' },
  { path: 'attempts[].error_class', type: 'text or null', meaning: 'what kind of error' },
  {
    path: 'attempts[].action',
    type: 'text',
    meaning: 'what was decided: succeed, retry, hand-over, park or give-up',
  },
  { path: 'attempts[].reason', type: 'text', meaning: 'why: a reason code' },
  {
    path: 'attempts[].entry',
    type: 'text',
    meaning: 'whether the attempt counts: its entry in the attempt account',
  },
  {
    path: 'attempts[].next_delay',
    type: 'number or null',
    meaning: 'the wait that followed, in seconds',
  },
  { path: 'attempts[].worker', type: 'text', meaning: 'the worker that ran it' },
  { path: 'attempts[].policy_id', type: 'text or null', meaning: 'name of the policy' },
  { path: 'attempts[].policy_hash', type: 'text', meaning: 'the version of the policy' },
  { path: 'attempts[].max_attempts', type: 'number', meaning: 'of that version' },
];

/** All that is known of a job. */
export const JOB_FIELDS: readonly JsonField[] = [
  ...summaryFields(''),
  {
    path: 'account',
    type: 'object',
    meaning: 'attempts of this generation by outcome',
  },
  ...ATTEMPT_FIELDS,
  {
    path: 'omitted_attempts',
    type: 'number',
    meaning: 'attempts that are not in the list; the audit log has them',
  },
  { path: 'lease', type: 'object or null', meaning: '`worker`, `since` and `until`' },
  { path: 'trace_id', type: 'text or null', meaning: 'as given' },
  { path: 'idempotency_key', type: 'text', meaning: 'the key that the handler passes on' },
  { path: 'limit_key', type: 'text or null', meaning: 'jobs with the same key share a limit' },
  { path: 'policy_hash', type: 'text or null', meaning: 'of the running or newest attempt' },
  { path: 'max_attempts', type: 'number or null', meaning: 'of the newest attempt’s policy' },
  { path: 'revision', type: 'number', meaning: 'number of state changes' },
  { path: 'token', type: 'number', meaning: 'of its newest lease' },
  { path: 'headers', type: 'any', meaning: 'secrets masked, unless --full' },
  { path: 'payload', type: 'any', meaning: 'secrets masked and cut, unless --full' },
  { path: 'result', type: 'any', meaning: 'secrets masked and cut, unless --full' },
  {
    path: 'result_omitted_bytes',
    type: 'number or null',
    meaning: 'the size of a result that was too large to be kept',
  },
];
