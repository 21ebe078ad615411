import type { CommandGroup, JsonField, OptionSpec } from '../command/command-spec.ts';
import {
  AFTER_OPTION,
  EXPORT_OPTIONS,
  LIMIT_OPTION,
  NEXT_FIELD,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';
import { ACT_COMMANDS } from './act-commands.ts';
import { DEAD_FILTERS } from './filter-fields.ts';
import { countFields, groupFields, LETTER_FIELDS, letterSummaryFields } from './letter-fields.ts';

const OPTIONS = [REASON_OPTION, ...STORE_COMMAND_OPTIONS];

const PAYLOAD_OPTION: OptionSpec = {
  flags: '--payload <how>',
  summary: 'payload and headers: none, redacted (secrets masked, cut) or full; default redacted',
  choices: ['none', 'redacted', 'full'],
};

const bucketFields = (at: string, what: string): JsonField[] => [
  { path: at, type: 'list', meaning: what },
  { path: `${at}[].from`, type: 'time', meaning: 'its beginning, UTC' },
  { path: `${at}[].count`, type: 'number', meaning: 'deaths in it' },
  { path: `${at}[].bounded`, type: 'boolean', meaning: 'true: there are more' },
];

/** `redrive dlq …` */
export const DLQ_COMMANDS: CommandGroup = {
  name: 'dlq',
  summary: 'look at dead letters, send them back, throw them away',
  commands: [
    {
      name: 'list',
      summary: 'list dead letters, the newest death first',
      options: [...DEAD_FILTERS, LIMIT_OPTION, AFTER_OPTION, ...OPTIONS],
      reads: 'sessions',
      rows: ['id', 'handler', 'died', 'attempts', 'sent again', 'why'],
      details:
        'It prints their number, counted up to 10,000. The column `back` marks letters that were requeued and died again, with how often. With a filter that no index serves, a page looks at 20,000 letters at most, so it can have fewer letters than --limit and still have a `next`.',
      examples: ['redrive dlq list', 'redrive dlq list --handler resize --since 1d --json'],
      json: [
        { path: 'letters', type: 'list', meaning: 'newest death first' },
        ...letterSummaryFields('letters[].'),
        ...countFields('total', 'of all pages'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runDlqList,
    },
    {
      name: 'show',
      summary: 'print a dead letter: why it died, what to do next, every attempt, its payload',
      args: [{ name: '<id>', summary: 'id of the dead letter' }],
      options: [PAYLOAD_OPTION, ...OPTIONS],
      reads: 'payloads',
      details: 'Payloads that edits have replaced are shown as well.',
      examples: ['redrive dlq show 01a2b3', 'redrive dlq show 01a2b3 --payload full --json'],
      json: LETTER_FIELDS,
      exits: { no_match: 'there is no dead letter with that id', unreachable: NO_STORE },
      load: async () => (await import('./show.ts')).runDlqShow,
    },
    {
      name: 'groups',
      summary: 'list the causes of dead letters, the one with the newest death first',
      options: [
        ...DEAD_FILTERS,
        { flags: '--limit <n>', summary: 'number of causes, 1 to 100; default 20' },
        AFTER_OPTION,
        ...OPTIONS,
      ],
      reads: 'sessions',
      rows: ['fingerprint', 'count', 'first died', 'last died', 'handlers', 'newest', 'cause'],
      details:
        'Errors that differ only in numbers, ids, addresses, times and quoted texts have one cause; numbers that carry a meaning count, such as the status of HTTP or the reply code of a mail server. Each is counted up to 10,000, and has the handlers of its newest 100 letters and the next command to type.',
      examples: ['redrive dlq groups', 'redrive dlq groups --text ECONNREFUSED --json'],
      json: [
        { path: 'groups', type: 'list', meaning: 'newest death first' },
        ...groupFields('groups[].'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./groups.ts')).runDlqGroups,
    },
    {
      name: 'stats',
      summary: 'count dead letters by reason, handler, cause and time',
      options: [...DEAD_FILTERS, ...OPTIONS],
      reads: 'metrics',
      details:
        'Counting stops at 10,000, for each hour and day as well; reasons and handlers are those of the newest 10,000.',
      examples: ['redrive dlq stats', 'redrive dlq stats --handler resize --json'],
      json: [
        ...countFields('total', 'dead letters'),
        { path: 'oldest_died_at', type: 'time or null', meaning: 'the first death' },
        { path: 'oldest_id', type: 'text or null', meaning: 'of that one' },
        { path: 'newest_died_at', type: 'time or null', meaning: 'the newest death' },
        {
          path: 'tallied',
          type: 'number',
          meaning: 'number of newest letters that the next fields cover',
        },
        {
          path: 'came_back',
          type: 'number',
          meaning: 'of these, letters that were requeued and died again',
        },
        { path: 'reasons', type: 'list', meaning: 'of these letters, the most frequent first' },
        { path: 'reasons[].reason', type: 'text', meaning: 'a reason code' },
        { path: 'reasons[].count', type: 'number', meaning: 'how many' },
        { path: 'handlers', type: 'list', meaning: 'of these letters, the most frequent first' },
        { path: 'handlers[].handler', type: 'text', meaning: 'its name' },
        { path: 'handlers[].count', type: 'number', meaning: 'how many' },
        { path: 'causes', type: 'list', meaning: 'at most 10, the newest death first' },
        ...groupFields('causes[].'),
        ...bucketFields('per_hour', 'the last 24 hours, the oldest first'),
        ...bucketFields('per_day', 'the last 14 days, the oldest first'),
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./stats.ts')).runDlqStats,
    },
    {
      name: 'export',
      summary: 'write dead letters into a file, the newest death first',
      options: [
        ...DEAD_FILTERS,
        {
          flags: '--format <format>',
          summary: 'jsonl (one envelope per line) or csv; default jsonl',
          choices: ['jsonl', 'csv'],
        },
        PAYLOAD_OPTION,
        ...EXPORT_OPTIONS,
        { flags: '--limit <n>', summary: 'at most this many letters; default: all' },
        ...OPTIONS,
      ],
      reads: 'payloads',
      details:
        'Only the owner can read the file. It gets its name when it is complete. CSV is safe for spreadsheets: no cell is read as a formula.',
      examples: [
        'redrive dlq export --format csv --payload none',
        'redrive dlq export --to - --handler resize',
        'redrive dlq export --output dead.jsonl --force',
      ],
      json: [
        { path: 'file', type: 'text', meaning: 'the file that was written' },
        { path: 'format', type: '"jsonl" or "csv"', meaning: 'its format' },
        {
          path: 'payload',
          type: '"none", "redacted" or "full"',
          meaning: 'how payloads are written',
        },
        { path: 'letters', type: 'number', meaning: 'dead letters in it' },
      ],
      exits: {
        refused: 'the file of --output exists, and --force is missing',
        unreachable: NO_STORE,
        not_permitted: 'the file cannot be written',
      },
      load: async () => (await import('./export.ts')).runDlqExport,
    },
    ...ACT_COMMANDS,
  ],
};
