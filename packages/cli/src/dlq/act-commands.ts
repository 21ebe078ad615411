import type { CommandSpec, JsonField, OptionSpec } from '../command/command-spec.ts';
import {
  CONFIG_OPTION,
  DRY_RUN_OPTION,
  JSON_OPTION,
  REASON_OPTION,
  STORE_OPTION,
  VERBOSE_OPTION,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';
import { COURSE_OPTIONS, RAMP_OPTIONS } from './course-fields.ts';
import { DEAD_FILTERS } from './filter-fields.ts';

const OPERATION_OPTION: OptionSpec = {
  flags: '--operation <id>',
  summary: 'submitted again with the same id, it goes on or does nothing; default: a new one',
};

const COMMON: readonly OptionSpec[] = [
  OPERATION_OPTION,
  REASON_OPTION,
  DRY_RUN_OPTION,
  STORE_OPTION,
  CONFIG_OPTION,
  JSON_OPTION,
  VERBOSE_OPTION,
];

const MANY: readonly OptionSpec[] = [
  ...DEAD_FILTERS,
  { flags: '--all', summary: 'all that there are, or all that the filter finds' },
  {
    flags: '--limit <n>',
    summary:
      'at most so many of what the filter finds, the oldest first; default 1,000, with --all no limit',
  },
  {
    flags: '--confirm <number>',
    summary: 'go ahead with what the filter finds, if it is as many as the plan said',
  },
  {
    flags: '-y, --yes',
    summary: 'go ahead with what the filter finds, whatever the number',
    conflicts: ['confirm'],
  },
];

const IDS = { name: '[ids...]', summary: 'of dead letters; else a filter says which are meant' };

const FIELDS: readonly JsonField[] = [
  { path: 'act', type: 'text', meaning: 'requeue, reset, purge or restore' },
  { path: 'operation', type: 'text or null', meaning: 'its id; null: a dry run without one' },
  { path: 'dry_run', type: 'boolean', meaning: 'nothing was done, so the numbers are a plan' },
  { path: 'done', type: 'number', meaning: 'letters that were acted on, or would be' },
  { path: 'refused', type: 'number', meaning: 'letters that were not, or would not be' },
  {
    path: 'refusals',
    type: 'any',
    meaning: 'the first 100 of them, each with `id`, `refusal` and a `note` in words',
  },
  { path: 'finished', type: 'boolean', meaning: 'false: it goes on, was stopped, or a dry run' },
  {
    path: 'state',
    type: 'text or null',
    meaning: 'running, paused, stopped (by its ramp), aborted or finished; null: a dry run',
  },
  {
    path: 'in_flight',
    type: 'number or null',
    meaning: 'sent back and not ended; null: not followed',
  },
  { path: 'succeeded', type: 'number or null', meaning: 'of those that were followed' },
  {
    path: 'came_back',
    type: 'number or null',
    meaning: 'of those that were followed: failed again',
  },
  { path: 'already_done', type: 'boolean', meaning: 'by an earlier submission; nothing was done' },
  { path: 'more', type: 'boolean', meaning: 'the filter finds more than were planned for' },
  { path: 'cut_off', type: 'time or null', meaning: 'what happens from then on is left out' },
  { path: 'restorable_until', type: 'time or null', meaning: 'purge only' },
];

const EXITS = {
  no_match: 'there is nothing to act on',
  refused: 'a filter found letters, and nobody has confirmed their number',
  partial: 'it was done to some of them only, or its ramp has stopped it',
  conflict: 'the state of the letters does not allow it, or the operation id means another act',
  unreachable: NO_STORE,
  interrupted: 'stopped by Ctrl-C; --operation goes on, or a worker does',
};

const MANY_DETAILS =
  'Ids are acted on at once; what a filter finds, only with --confirm or --yes: without them it shows the plan, with those that would refuse and why, and does nothing. What dies after it began is left out. Progress is stored with each batch of 200, so a second submission with the same --operation goes on where the first one stopped, and acts on nothing twice.';

const COURSE_DETAILS =
  'With --rate or --detach, workers carry it out as well, in whichever process, so it goes on after Ctrl-C and after a crash: see "redrive ops".';

export const ACT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'requeue',
    summary: 'send dead letters back: the same jobs, in a new generation with all their attempts',
    args: [IDS],
    options: [
      ...MANY,
      ...RAMP_OPTIONS,
      ...COURSE_OPTIONS,
      { flags: '--deadline <time>', summary: 'of the new generation: a time, or +2h' },
      ...COMMON,
    ],
    details: `${MANY_DETAILS} With --ramp, --rate, --max-in-flight, --stop-on-failure-ratio or --detach it begins with 1, then 10, then 100 letters (--ramp says otherwise), stops when too many come back, and workers carry it out as well, in whichever process, so it goes on after Ctrl-C and after a crash: see "redrive ops".`,
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
    summary: 'give dead letters fresh attempts without sending them back',
    args: [IDS],
    options: [...MANY, ...COURSE_OPTIONS, ...COMMON],
    details: `${MANY_DETAILS} ${COURSE_DETAILS}`,
    examples: ['redrive dlq reset 01a2b3'],
    json: FIELDS,
    exits: EXITS,
    load: async () => (await import('./act.ts')).runDlqReset,
  },
  {
    name: 'edit',
    summary: 'send a dead letter back with another payload',
    args: [{ name: '<id>', summary: 'of the dead letter' }],
    options: [
      { flags: '--payload <json>', summary: 'the new payload' },
      {
        flags: '--payload-file <file>',
        summary: 'the new payload, from a file',
        conflicts: ['payload'],
      },
      ...COMMON,
    ],
    reads: 'payloads',
    details:
      'Without --payload and --payload-file, the editor of VISUAL or EDITOR opens with the old one; left as it is, nothing is done. The old payload is kept: `redrive dlq show` shows it. Refused where somebody else was faster.',
    examples: [`redrive dlq edit 01a2b3 --payload '{"image": 2}' --reason 'wrong image'`],
    json: FIELDS,
    exits: { ...EXITS, refused: 'the payload is bytes, or was left as it is' },
    load: async () => (await import('./edit.ts')).runDlqEdit,
  },
  {
    name: 'purge',
    summary: 'throw dead letters away, for good only after a while',
    args: [IDS],
    options: [...MANY, ...COURSE_OPTIONS, ...COMMON],
    details: `It says until when they can be restored: jobs.retention.purged, 7 days unless the configuration says otherwise. ${MANY_DETAILS} ${COURSE_DETAILS}`,
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
    summary: 'take back dead letters that were thrown away',
    args: [IDS],
    options: [
      {
        flags: '--purge <operation>',
        summary: 'all that this purge threw away; with --rate or --detach at most 1,000',
      },
      ...MANY.filter(({ flags }) => !flags.startsWith('--text')),
      ...COURSE_OPTIONS,
      ...COMMON,
    ],
    details: `${MANY_DETAILS} ${COURSE_DETAILS}`,
    examples: ['redrive dlq restore 01a2b3'],
    json: FIELDS,
    exits: EXITS,
    load: async () => (await import('./act.ts')).runDlqRestore,
  },
];
