/** A line of a list of jobs, under `at`. */
export const SUMMARY_FIELDS = `
  id | text | sorts by time of creation
  handler | text | the handler of the job
  subsystem | text | the first part of the handler's name
  state | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged
  queue | text | the queue
  tenant | text or null | the tenant of the job; tenants take turns
  priority | number | higher first
  tags | list | texts
  retry_count | number | retries after charged attempts; 0 again after success
  next_retry_at | time or null | when a scheduled or parked job is due
  error_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success
  reason | text or null | reason code of the current state
  cause | text or null | what a parked job waits for
  submitted_at | time | when it was enqueued
  submitted_date | time | the same time
  deadline | time or null | no attempt starts after it
  finished_at | time or null | when it finished
  generation | number | from 1; each requeue increments it
  attempts_made | number | attempts in this generation, the running one included
  worker | text or null | the worker that runs it now
  cancel_requested | boolean | true: the job runs, and a cancellation was requested
  session_id | text | the id of the job, or of the call that handed it over
  correlation_id | text | as given, else the session id
  policy | text or null | the job's own, where it names one; of one job: else that of its newest attempt
  unique_key | text or null | the unique key: at most one unfinished job has it
  last_error | object or null | \`type\` and \`message\` of the newest attempt’s error
`;

const ATTEMPT_FIELDS = `
  attempts | list | the first attempt and the newest ones, the oldest first
  attempts[].attempt_number | number | in its generation, from 1, over all rungs
  attempts[].generation | number | its generation
  attempts[].rung | text | where it ran: job, or call before it was handed over
  attempts[].timestamp | time | when it started
  attempts[].delay | number | the wait before it, in seconds
  attempts[].duration | number | in seconds
  attempts[].success | boolean | true: it succeeded
  attempts[].error | object or null | \`type\` and \`message\`, sanitised
  attempts[].error_class | text or null | what kind of error
  attempts[].action | text | what was decided: succeed, retry, hand-over, park or give-up
  attempts[].reason | text | why: a reason code
  attempts[].entry | text | whether the attempt counts: its entry in the attempt account
  attempts[].next_delay | number or null | the wait that followed, in seconds
  attempts[].worker | text | the worker that ran it
  attempts[].policy_id | text or null | name of the policy
  attempts[].policy_hash | text | the version of the policy
  attempts[].max_attempts | number | of that version
`;

/** All that is known of a job. */
export const JOB_FIELDS = `
  ${SUMMARY_FIELDS}
  account | object | attempts of this generation by outcome
  ${ATTEMPT_FIELDS}
  omitted_attempts | number | attempts that are not in the list; the audit log has them
  lease | object or null | \`worker\`, \`since\` and \`until\`
  origin | object or null | \`rung\`, \`bus\` and \`source\` of a job that came from a source
  trace_id | text or null | as given
  idempotency_key | text | the key that the handler passes on
  limit_key | text or null | jobs with the same key share a limit
  policy_hash | text or null | of the running or newest attempt
  max_attempts | number or null | of the newest attempt’s policy
  revision | number | number of state changes
  token | number | of its newest lease
  headers | any | secrets masked, unless --full
  payload | any | secrets masked and cut, unless --full
  result | any | secrets masked and cut, unless --full
  result_omitted_bytes | number or null | the size of a result that was too large to be kept
`;
