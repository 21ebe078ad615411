import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandSpec, OptionEntry } from '../command/command-spec.ts';
import { DEAD_OPTIONS } from './filter-fields.ts';

/** Options of every bulk operation. */
const BULK_OPTIONS: readonly OptionEntry[] = [
  '--rate <rate>',
  '--detach | let the workers do it, and do not wait for the result',
];

const MANY: readonly OptionEntry[] = [
  ...DEAD_OPTIONS,
  '--all',
  '--limit <n>',
  '--confirm <number> | confirm the filter: go ahead if it matches this many letters, as the plan says',
  '-y, --yes | confirm the filter for any number of letters [not with confirm]',
];

const EXITS = {
  partial: 'some letters were refused, or the ramp stopped the bulk operation',
  interrupted: 'stopped by Ctrl-C: the bulk operation is paused; the same --operation continues it',
};

const MANY_DETAILS =
  'With ids it acts at once. With a filter it needs a confirmation, --confirm or --yes; without one it only prints the plan: the letters that match, and which of them would be refused and why. Letters that die after the start are left out. It needs no worker. Progress is stored with each step: after a crash the same command with the same --operation continues it, and so does a worker unless more than 1,000 ids were given. Ctrl-C stops it after the current batch and pauses it: it prints how many letters are left, and the command that continues. A second Ctrl-C ends the command at once. No letter is changed twice.';

const BULK_DETAILS = 'With --detach it is left to the workers: see "redrive ops".';

/** An act on dead letters by ids or by a filter. */
function bulk(
  act: 'requeue' | 'reset' | 'purge' | 'restore',
  { details = `${MANY_DETAILS} ${BULK_DETAILS}`, ...own }: Partial<Sugar>,
): CommandSpec {
  const sugar: Sugar = {
    ...{ name: act, action: 'operations.submit', details, exits: EXITS },
    args: [
      { name: '[ids...]', summary: 'ids of dead letters; without ids, a filter selects them' },
    ],
    options: [...MANY, ...BULK_OPTIONS, '--operation <id>'],
    fields: { operation: 'id', stopOnFailureRatio: 'stop_share' },
    fixed: { act },
    input: ({ options }) => ({
      wait: options.detach !== true,
      ...(options.yes === true && { confirm: 'any' }),
    }),
    render: async () => (await import('../ops/operations.ts')).OPERATION_SHOW,
    ...own,
  };
  return {
    ...actionCommand(sugar),
    load: async () => (await import('./act.ts')).bulkCommand(sugar),
  };
}

const EDIT: Sugar = {
  name: 'edit',
  action: 'deadLetters.edit',
  summary: 'requeue a dead letter with another payload',
  args: [{ name: '<id>' }],
  options: [
    '--payload <json> | the new payload',
    '--payload-file <file> | the new payload, from a file [not with payload]',
    '--operation <id>',
  ],
  details:
    'Without --payload and --payload-file, the editor of VISUAL or EDITOR opens with the old payload; if you do not change it, nothing happens. The editor shows the payload, so its use is on record. The old payload is kept: `redrive dlq show` prints it. The edit is refused if another operator changes the letter while the editor is open.',
  examples: [`redrive dlq edit 01a2b3 --payload '{"image": 2}' --reason 'wrong image'`],
  exits: { ...EXITS, refused: 'the payload is binary or too large, or was not changed' },
  render: async () => (await import('../ops/operations.ts')).OPERATION_SHOW,
};

export const ACT_COMMANDS: readonly CommandSpec[] = [
  bulk('requeue', {
    summary:
      'requeue dead letters: the same jobs run again, in a new generation with all their attempts',
    options: [
      ...MANY,
      '--ramp <sizes>',
      '--max-in-flight <n>',
      '--stop-on-failure-ratio <share>',
      ...BULK_OPTIONS,
      '--deadline <time>',
      '--operation <id>',
    ],
    details: `${MANY_DETAILS} With --ramp, --rate, --max-in-flight, --stop-on-failure-ratio or --detach it goes in stages: first 1 letter, then 10, then 100, then all (--ramp sets other sizes). It stops when the first attempt fails for too many jobs of a stage. A worker must run the jobs: "redrive ops" shows the progress. If no live worker has their handlers, --rate alone requeues without stages, and the command says that the jobs wait for a worker.`,
    examples: [
      'redrive dlq requeue 01a2b3 --reason fixed',
      'redrive dlq requeue --handler resize --dry-run',
      'redrive dlq requeue --handler resize --yes --reason fixed',
      'redrive dlq requeue --handler resize --yes --rate 50/s --ramp 1,10,100 --detach',
    ],
  }),
  bulk('reset', {
    summary: 'give dead letters all their attempts again, without requeueing them',
    examples: ['redrive dlq reset 01a2b3'],
  }),
  {
    ...actionCommand(EDIT),
    // Its editor shows the payload.
    reads: 'payloads',
    load: async () => (await import('./edit.ts')).editCommand(EDIT),
  },
  bulk('purge', {
    summary: 'delete dead letters; they can be restored for a while',
    details: `It prints until when they can be restored: jobs.retention.purged of the configuration, 7 days by default. ${MANY_DETAILS} ${BULK_DETAILS}`,
    examples: [
      'redrive dlq purge 01a2b3 --reason duplicate',
      'redrive dlq purge --handler resize --confirm=1 --reason duplicates',
    ],
  }),
  bulk('restore', {
    summary: 'restore purged dead letters',
    options: [
      '--purge <operation>',
      ...MANY.filter((each) => each !== '--text <text>'),
      ...BULK_OPTIONS,
      '--operation <id>',
    ],
    examples: ['redrive dlq restore 01a2b3'],
  }),
];
