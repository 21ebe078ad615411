import type { CommandSpec, JsonField } from '../command/command-spec.ts';
import { REASON_OPTION, STORE_COMMAND_OPTIONS } from '../command/common-options.ts';

export const NO_STORE = 'there is no store, or it does not answer';
export const BAD_CONFIG = 'the configuration is not valid, or cannot be read';

/** How many jobs are in each state, under `at`. */
export const stateFields = (at: string): JsonField[] => [
  { path: `${at}scheduled`, type: 'number', meaning: 'wait for their time' },
  { path: `${at}ready`, type: 'number', meaning: 'may start' },
  { path: `${at}parked`, type: 'number', meaning: 'wait for a cause, such as an open breaker' },
  { path: `${at}leased`, type: 'number', meaning: 'run now' },
  { path: `${at}succeeded`, type: 'number', meaning: 'done' },
  { path: `${at}dead`, type: 'number', meaning: 'given up' },
  { path: `${at}cancelled`, type: 'number', meaning: 'ended by somebody' },
  { path: `${at}purged`, type: 'number', meaning: 'thrown away, and can be restored for a while' },
];

export const PAUSE_FIELDS: readonly JsonField[] = [
  { path: 'paused', type: 'list', meaning: 'what is held back; what runs goes on' },
  { path: 'paused[].scope', type: '"queue" or "handler"', meaning: 'what kind of thing' },
  { path: 'paused[].name', type: 'text', meaning: 'its name' },
  { path: 'paused[].since', type: 'time', meaning: 'ISO 8601' },
  { path: 'paused[].by', type: 'text', meaning: 'who paused it' },
  { path: 'paused[].why', type: 'text or null', meaning: 'the reason that was given' },
];

/** `redrive status` */
export const STATUS_COMMAND: CommandSpec = {
  name: 'status',
  summary: 'how many jobs are where, what is stopped or waits and why',
  options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
  reads: 'metrics',
  details:
    'It looks at the store itself, so it works with and without a running `redrive start`. Counting stops at a limit in very large stores, and says so.',
  examples: ['redrive status', 'redrive status --json --store sqlite:./redrive.db'],
  json: [
    { path: 'store', type: 'text', meaning: 'the store, without credentials' },
    { path: 'time', type: 'time', meaning: "the store's clock, ISO 8601" },
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
    ...PAUSE_FIELDS,
    {
      path: 'kill_switches',
      type: 'any',
      meaning: 'what is stopped, as `redrive kill status` prints it',
    },
    {
      path: 'breakers',
      type: 'any',
      meaning: 'those that are not closed, as `redrive breaker list` prints them',
    },
    { path: 'gates', type: 'any', meaning: 'as `redrive gate list` prints them' },
    { path: 'parked', type: 'any', meaning: 'causes, as `redrive park list` prints them' },
  ],
  exits: { failed: BAD_CONFIG, unreachable: NO_STORE },
  load: async () => (await import('./status.ts')).runStatus,
};
