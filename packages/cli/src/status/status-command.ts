import type { CommandSpec, JsonField } from '../command/command-spec.ts';
import { REASON_OPTION, STORE_COMMAND_OPTIONS } from '../command/common-options.ts';

export const NO_STORE = 'there is no store, or it does not answer';
export const BAD_CONFIG = 'the configuration is not valid, or cannot be read';

/** How many jobs are in each state, under `at`. */
export const stateFields = (at: string): JsonField[] => [
  { path: `${at}scheduled`, type: 'number', meaning: 'wait until they are due' },
  { path: `${at}ready`, type: 'number', meaning: 'may start' },
  { path: `${at}parked`, type: 'number', meaning: 'wait for a cause, such as an open breaker' },
  { path: `${at}leased`, type: 'number', meaning: 'run now' },
  { path: `${at}succeeded`, type: 'number', meaning: 'done' },
  { path: `${at}dead`, type: 'number', meaning: 'given up' },
  { path: `${at}cancelled`, type: 'number', meaning: 'cancelled by a person or a program' },
  { path: `${at}purged`, type: 'number', meaning: 'deleted, and can be restored for a while' },
];

export const PAUSE_FIELDS: readonly JsonField[] = [
  {
    path: 'paused',
    type: 'list',
    meaning: 'paused queues and handlers; their running jobs finish',
  },
  { path: 'paused[].scope', type: '"queue" or "handler"', meaning: 'a queue or a handler' },
  { path: 'paused[].name', type: 'text', meaning: 'its name' },
  { path: 'paused[].since', type: 'time', meaning: 'ISO 8601' },
  { path: 'paused[].by', type: 'text', meaning: 'who paused it' },
  { path: 'paused[].why', type: 'text or null', meaning: 'the reason that was given' },
];

const failingFields: readonly JsonField[] = [
  {
    path: 'failing',
    type: 'list',
    meaning: 'causes of the failures now, the one with the most jobs first',
  },
  {
    path: 'failing[].fingerprint',
    type: 'text',
    meaning: 'the id of the cause, as in `redrive dlq groups`',
  },
  {
    path: 'failing[].pattern',
    type: 'text',
    meaning:
      'its error text, without the parts that differ from case to case; empty: none of the parked jobs has failed itself',
  },
  {
    path: 'failing[].last_error',
    type: 'object or null',
    meaning: '`type` and `message` of the newest error',
  },
  {
    path: 'failing[].handlers',
    type: 'list',
    meaning: 'handlers of the jobs that were read',
  },
  {
    path: 'failing[].dependency',
    type: 'text or null',
    meaning: 'as its breaker or gate names it; null: not known',
  },
  { path: 'failing[].causes', type: 'list', meaning: 'the causes that its parked jobs wait for' },
  { path: 'failing[].since', type: 'time', meaning: 'the first failure within a day' },
  {
    path: 'failing[].first_seen',
    type: 'time or null',
    meaning: 'the first death, where it is before `since`',
  },
  { path: 'failing[].last', type: 'time', meaning: 'the newest failure' },
  { path: 'failing[].retrying', type: 'number', meaning: 'jobs that will be tried again' },
  { path: 'failing[].parked', type: 'number', meaning: 'jobs that are parked because of it' },
  { path: 'failing[].dead', type: 'number', meaning: 'all its dead letters' },
  {
    path: 'failing[].bounded',
    type: 'boolean',
    meaning: 'true: there are more than the numbers say',
  },
  {
    path: 'failing[].per_minute',
    type: 'number',
    meaning: 'jobs that failed within the last ten minutes, per minute',
  },
  {
    path: 'failing[].newest_job',
    type: 'text or null',
    meaning: 'the unfinished job that failed last',
  },
  { path: 'failing[].newest_dead_letter', type: 'text or null', meaning: 'the job that died last' },
  { path: 'failing[].next', type: 'text', meaning: 'the next command to type' },
  {
    path: 'failing_sampled',
    type: 'boolean',
    meaning: 'true: only the 10,000 jobs of each state that are due first were read',
  },
];

const workerFields: readonly JsonField[] = [
  {
    path: 'workers',
    type: 'any',
    meaning: 'live workers as `redrive workers list` prints them, at most 1,000',
  },
  {
    path: 'without_worker',
    type: 'list',
    meaning: 'handlers whose jobs no worker takes, unless they are stopped',
  },
  { path: 'without_worker[].handler', type: 'text', meaning: 'its name' },
  { path: 'without_worker[].ready', type: 'number', meaning: 'its ready jobs' },
  { path: 'without_worker[].queues', type: 'list', meaning: 'the queues of these jobs' },
  { path: 'without_worker[].scheduled', type: 'number', meaning: 'its scheduled jobs' },
  { path: 'without_worker[].parked', type: 'number', meaning: 'its parked jobs' },
];

/** `redrive status` */
export const STATUS_COMMAND: CommandSpec = {
  name: 'status',
  emergency: true,
  summary: 'show which jobs are failing now, since when, why, how many, and what to do',
  options: [
    {
      flags: '--watch',
      summary: 'refresh every 2 s, until Ctrl-C; with --json one line per refresh',
    },
    REASON_OPTION,
    ...STORE_COMMAND_OPTIONS,
  ],
  reads: 'metrics',
  details:
    'The first line is the verdict: everything is fine, or the most urgent problem. Then it lists the causes of failures (jobs that will be tried again, parked jobs and dead letters of the last hour together), stopped queues, handlers and dependencies, workers and queues. It reads the store itself, so it works without a running `redrive start`. In very large stores counting stops at a limit, and the output says so.',
  examples: [
    'redrive status',
    'redrive status --watch',
    'redrive status --json --store sqlite:./redrive.db',
  ],
  json: [
    { path: 'store', type: 'text', meaning: 'the store, without credentials' },
    { path: 'time', type: 'time', meaning: "the store's clock, ISO 8601" },
    { path: 'ok', type: 'boolean', meaning: 'true: nothing is wrong' },
    {
      path: 'verdict',
      type: 'text',
      meaning: 'the first line: everything is fine, or the most urgent problem',
    },
    { path: 'problems', type: 'list', meaning: 'the problems, the most urgent first' },
    {
      path: 'problems[].kind',
      type: 'text',
      meaning:
        '`kill_switch`, `no_worker`, `failing`, `paused`, `breaker_forced`, `rate_limited`, `held` or `dead_letters`',
    },
    {
      path: 'problems[].level',
      type: '"bad" or "note"',
      meaning: 'note: no action is needed at once',
    },
    { path: 'problems[].text', type: 'text', meaning: 'one sentence' },
    ...failingFields,
    {
      path: 'kill_switches',
      type: 'any',
      meaning: 'engaged kill switches, as `redrive kill list` prints them',
    },
    ...PAUSE_FIELDS,
    {
      path: 'breakers',
      type: 'any',
      meaning: 'breakers that are not closed, as `redrive breakers list` prints them',
    },
    { path: 'gates', type: 'any', meaning: 'as `redrive gates list` prints them' },
    { path: 'parked', type: 'any', meaning: 'causes, as `redrive park list` prints them' },
    ...workerFields,
    {
      path: 'dead',
      type: 'object',
      meaning: 'all dead letters: `count`, `bounded` (there are more) and `newest_died_at`',
    },
    { path: 'states', type: 'map', meaning: 'jobs in each state' },
    ...stateFields('states.'),
    { path: 'bounded', type: 'boolean', meaning: 'true: counting stopped, and there are more' },
    {
      path: 'oldest_ready_at',
      type: 'time or null',
      meaning: 'when the oldest ready job was submitted',
    },
    { path: 'handlers', type: 'list', meaning: 'the same for each queue and handler' },
    { path: 'handlers[].queue', type: 'text', meaning: 'the queue' },
    { path: 'handlers[].handler', type: 'text', meaning: 'the handler' },
    { path: 'handlers[].states', type: 'object', meaning: 'as `states`' },
  ],
  exits: { failed: BAD_CONFIG, unreachable: NO_STORE },
  load: async () => (await import('./status.ts')).runStatus,
};
