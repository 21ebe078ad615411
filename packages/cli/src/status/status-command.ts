import type { CommandSpec } from '../command/command-spec.ts';
import { BAD_CONFIG } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';

/** How many jobs are in each state, under `at`. */
export const STATE_FIELDS = `
  scheduled | number | wait until they are due
  ready | number | may start
  parked | number | wait for a cause, such as an open breaker
  leased | number | run now
  succeeded | number | done
  dead | number | given up
  cancelled | number | cancelled by a person or a program
  purged | number | deleted, and can be restored for a while
`;

export const PAUSE_FIELDS = `
  paused | list | paused queues, handlers and schedules; running jobs finish
  paused[].scope | "queue", "handler" or "schedule" | a queue, a handler or a schedule
  paused[].name | text | its name
  paused[].since | time | ISO 8601
  paused[].by | text | who paused it
  paused[].why | text or null | the reason that was given
`;

const FAILING_FIELDS = `
  failing | list | causes of the failures now, the one with the most jobs first
  failing[].fingerprint | text | the id of the cause, as in \`redrive dlq groups\`
  failing[].pattern | text | its error text, without the parts that differ from case to case; empty: none of the parked jobs has failed itself
  failing[].last_error | object or null | \`type\` and \`message\` of the newest error
  failing[].handlers | list | handlers of the jobs that were read
  failing[].dependency | text or null | as its breaker or gate names it; null: not known
  failing[].causes | list | the causes that its parked jobs wait for
  failing[].since | time | the first failure within a day
  failing[].first_seen | time or null | the first death, where it is before \`since\`
  failing[].last | time | the newest failure
  failing[].retrying | number | jobs that will be tried again
  failing[].parked | number | jobs that are parked because of it
  failing[].dead | number | all its dead letters
  failing[].bounded | boolean | true: there are more than the numbers say
  failing[].per_minute | number | jobs that failed within the last ten minutes, per minute
  failing[].newest_job | text or null | the unfinished job that failed last
  failing[].newest_dead_letter | text or null | the job that died last
  failing[].next | text | the next command to type
  failing_sampled | boolean | true: only the 10,000 jobs of each state that are due first were read
  failing_more | boolean | true: dead letters of the last hour have more causes than the 50 that were read
`;

const WORKER_FIELDS = `
  workers | any | live workers as \`redrive workers list\` prints them, at most 1,000
  without_worker | list | handlers whose jobs no worker takes, unless they are stopped
  without_worker[].handler | text | its name
  without_worker[].ready | number | its ready jobs
  without_worker[].queues | list | the queues of these jobs
  without_worker[].scheduled | number | its scheduled jobs
  without_worker[].parked | number | its parked jobs
`;

const SOURCE_FIELDS = `
  sources | list | sources of events, as the process that takes them reported last
  sources[].name | text | its name
  sources[].state | text | \`taking\`, or why it takes nothing: \`stopped\`, \`full\`, \`store_away\`, \`bus_away\`, \`failing\`, \`blocked\`; \`gone\`: no process takes it
  sources[].waiting | number or null | messages that wait in the broker; null: the broker does not say
  sources[].handled | number | events of a direct source that succeeded without being stored, over restarts
  sources[].stored | number | events that were stored as jobs, over restarts
  sources[].duplicates | number | messages that were stored before
  sources[].dead_lettered | number | messages that became dead letters without running
  sources[].last_report | time | ISO 8601
  sources[].last_error | text or null | the newest problem with the broker or the store, for a day after it is over
  sources[].last_error_at | time or null | when it was reported last, in ISO 8601; before last_report: it is over
`;

/** `redrive status` */
export const STATUS_COMMAND: CommandSpec = {
  name: 'status',
  emergency: true,
  summary: 'show which jobs are failing now, since when, why, how many, and what to do',
  options: ['--watch | refresh every 2 s, until Ctrl-C; with --json one line per refresh'],
  uses: 'store',
  reads: 'metrics',
  details:
    'The first line is the verdict: everything is fine, or the most urgent problem. Then it lists the causes of failures (jobs that will be tried again, parked jobs and dead letters of the last hour together), stopped queues, handlers and dependencies, workers and queues. It reads the store itself, so it works without a running `redrive start`. In very large stores counting stops at a limit, and the output says so.',
  examples: [
    'redrive status',
    'redrive status --watch',
    'redrive status --json --store sqlite:./redrive.db',
  ],
  json: `
    store | text | the store, without credentials
    time | time | the store's clock, ISO 8601
    ok | boolean | true: nothing is wrong
    verdict | text | the first line: everything is fine, or the most urgent problem
    problems | list | the problems, the most urgent first
    problems[].kind | text | \`kill_switch\`, \`no_worker\`, \`failing\`, \`paused\`, \`breaker_forced\`, \`rate_limited\`, \`held\`, \`source\` or \`dead_letters\`
    problems[].level | "bad" or "note" | note: no action is needed at once
    problems[].text | text | one sentence
    ${FAILING_FIELDS}
    kill_switches | any | engaged kill switches, as \`redrive kill list\` prints them, each with the jobs that are \`running\` and \`waiting\` (\`null\` for a tenant: not counted) and \`bounded\` (there are more)
    ${PAUSE_FIELDS}
    breakers | any | breakers that are not closed, as \`redrive breakers list\` prints them
    gates | any | as \`redrive gates list\` prints them
    parked | any | causes, as \`redrive park list\` prints them
    ${WORKER_FIELDS}
    ${SOURCE_FIELDS}
    dead | object | all dead letters: \`count\`, \`bounded\` (there are more) and \`newest_died_at\`
    states | map | jobs in each state
    ${under('states.', STATE_FIELDS)}
    bounded | boolean | true: counting stopped, and there are more
    oldest_ready_at | time or null | when the oldest ready job was submitted
    handlers | list | the same for each queue and handler
    handlers[].queue | text | the queue
    handlers[].handler | text | the handler
    handlers[].states | object | as \`states\`
    handlers[].bounded | list | the states in which there are more jobs than counted
  `,
  exits: { failed: BAD_CONFIG },
  load: async () => (await import('./status.ts')).runStatus,
};
