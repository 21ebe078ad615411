import type { CommandSpec, OptionEntry } from '../command/command-spec.ts';
import { DEAD_FILTERS, TEXT_FILTER } from './filter-fields.ts';

const OPERATION_OPTION =
  '--operation <id> | id of the bulk operation; the same id again continues it and repeats nothing; default: a new id';

/** Options of every bulk operation. */
const BULK_OPTIONS: readonly OptionEntry[] = [
  '--rate <rate> | letters per second at most, such as 50/s; default: no limit',
  '--detach | let the workers do it, and do not wait for the result',
];

/** The same for what starts jobs. */
const RAMP_OPTIONS: readonly OptionEntry[] = [
  '--ramp <sizes> | sizes of the first stages, such as 1,10,100, then all; the next stage begins when enough jobs of a stage succeed; none: all at once',
  '--max-in-flight <n> | requeued jobs without a result at one time, 1 to 2,000',
  '--stop-on-failure-ratio <share> | stop when more than this share of a stage fails again; default 0.2',
];

const MANY: readonly OptionEntry[] = [
  ...DEAD_FILTERS,
  '--all | all dead letters, or all that match the filter',
  '--limit <n> | at most this many of the letters that match the filter, the oldest first; default 1,000, with --all no limit',
  '--confirm <number> | confirm the filter: go ahead if it matches this many letters, as the plan says',
  '-y, --yes | confirm the filter for any number of letters [not with confirm]',
];

const IDS = {
  name: '[ids...]',
  summary: 'ids of dead letters; without ids, a filter selects them',
};

const FIELDS = `
  act | text | requeue, reset, purge or restore
  operation | text or null | id of the bulk operation; null: a dry run without --operation
  dry_run | boolean | true: nothing was changed, and the numbers are a plan
  done | number | letters that were changed, or would be
  refused | number | letters that were refused, or would be
  refusals | any | the first 100 refused letters, each with \`id\`, \`refusal\` and a \`note\` in words
  finished | boolean | false: it still runs, was stopped, or is a dry run
  state | text or null | running, paused, stopped (by its ramp), aborted or finished; null: a dry run
  in_flight | number or null | jobs that were requeued and have made no attempt yet; null: results are not observed
  succeeded | number or null | jobs whose first attempt succeeded; null: results are not observed
  came_back | number or null | jobs whose first attempt failed; null: results are not observed
  already_done | boolean | true: an earlier submission did it, and nothing was changed now
  more | boolean | true: more letters match the filter than the plan contains
  cut_off | time or null | letters that died at this time or later are left out
  restorable_until | time or null | purge only: the letters can be restored until then
`;

const EXITS = {
  no_match: 'no dead letter has these ids or matches the filter',
  refused: 'the filter matches letters, and the confirmation (--confirm or --yes) is missing',
  partial: 'some letters were refused, or the ramp stopped the bulk operation',
  conflict:
    'the state of the letters does not allow it, or the id of --operation belongs to another bulk operation',
  interrupted: 'stopped by Ctrl-C: the bulk operation is paused; the same --operation continues it',
};

const MANY_DETAILS =
  'With ids it acts at once. With a filter it needs a confirmation, --confirm or --yes; without one it only prints the plan: the letters that match, and which of them would be refused and why. Letters that die after the start are left out. It needs no worker. Progress is stored with each step: after a crash the same command with the same --operation continues it, and so does a worker unless more than 1,000 ids were given. Ctrl-C stops it after the current batch and pauses it: it prints how many letters are left, and the command that continues. A second Ctrl-C ends the command at once. No letter is changed twice.';

const BULK_DETAILS = 'With --detach it is left to the workers: see "redrive ops".';

export const ACT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'requeue',
    summary:
      'requeue dead letters: the same jobs run again, in a new generation with all their attempts',
    args: [IDS],
    options: [
      ...MANY,
      ...RAMP_OPTIONS,
      ...BULK_OPTIONS,
      '--deadline <time> | deadline of the new generation: a time, or +2h',
      OPERATION_OPTION,
    ],
    acts: true,
    uses: 'store',
    details: `${MANY_DETAILS} With --ramp, --rate, --max-in-flight, --stop-on-failure-ratio or --detach it goes in stages: first 1 letter, then 10, then 100, then all (--ramp sets other sizes). It stops when the first attempt fails for too many jobs of a stage. A worker must run the jobs: "redrive ops" shows the progress. If no live worker has their handlers, --rate alone requeues without stages, and the command says that the jobs wait for a worker.`,
    examples: [
      'redrive dlq requeue 01a2b3 --reason fixed',
      'redrive dlq requeue --handler resize --dry-run',
      'redrive dlq requeue --handler resize --yes --reason fixed',
      'redrive dlq requeue --handler resize --yes --rate 50/s --ramp 1,10,100 --detach',
    ],
    json: FIELDS,
    exits: EXITS,
    load: async () => (await import('./act.ts')).runDlqRequeue,
  },
  {
    name: 'reset',
    summary: 'give dead letters all their attempts again, without requeueing them',
    args: [IDS],
    options: [...MANY, ...BULK_OPTIONS, OPERATION_OPTION],
    acts: true,
    uses: 'store',
    details: `${MANY_DETAILS} ${BULK_DETAILS}`,
    examples: ['redrive dlq reset 01a2b3'],
    json: FIELDS,
    exits: EXITS,
    load: async () => (await import('./act.ts')).runDlqReset,
  },
  {
    name: 'edit',
    summary: 'requeue a dead letter with another payload',
    args: [{ name: '<id>', summary: 'id of the dead letter' }],
    options: [
      '--payload <json> | the new payload',
      '--payload-file <file> | the new payload, from a file [not with payload]',
      OPERATION_OPTION,
    ],
    acts: true,
    uses: 'store',
    reads: 'payloads',
    details:
      'Without --payload and --payload-file, the editor of VISUAL or EDITOR opens with the old payload; if you do not change it, nothing happens. The editor shows the payload, so its use is on record; --dry-run with --payload or --payload-file records and changes nothing. The old payload is kept: `redrive dlq show` prints it. The edit is refused if somebody else has changed the letter in the meantime.',
    examples: [`redrive dlq edit 01a2b3 --payload '{"image": 2}' --reason 'wrong image'`],
    json: FIELDS,
    exits: { ...EXITS, refused: 'the payload is binary, or was not changed' },
    load: async () => (await import('./edit.ts')).runDlqEdit,
  },
  {
    name: 'purge',
    summary: 'delete dead letters; they can be restored for a while',
    args: [IDS],
    options: [...MANY, ...BULK_OPTIONS, OPERATION_OPTION],
    acts: true,
    uses: 'store',
    details: `It prints until when they can be restored: jobs.retention.purged of the configuration, 7 days by default. ${MANY_DETAILS} ${BULK_DETAILS}`,
    examples: [
      'redrive dlq purge 01a2b3 --reason duplicate',
      'redrive dlq purge --handler resize --confirm=1 --reason duplicates',
    ],
    json: FIELDS,
    exits: EXITS,
    load: async () => (await import('./act.ts')).runDlqPurge,
  },
  {
    name: 'restore',
    summary: 'restore purged dead letters',
    args: [IDS],
    options: [
      '--purge <operation> | all letters of this purge, by the id of its bulk operation; with --detach at most 1,000',
      ...MANY.filter((each) => each !== TEXT_FILTER),
      ...BULK_OPTIONS,
      OPERATION_OPTION,
    ],
    acts: true,
    uses: 'store',
    details: `${MANY_DETAILS} ${BULK_DETAILS}`,
    examples: ['redrive dlq restore 01a2b3'],
    json: FIELDS,
    exits: EXITS,
    load: async () => (await import('./act.ts')).runDlqRestore,
  },
];
