import { MANIFEST } from '@redrive/operate/manifest';
import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup } from '../command/command-spec.ts';
import { AFTER_OPTION, EXPORT_OPTIONS } from '../command/common-options.ts';
import { ACT_COMMANDS } from './act-commands.ts';
import { CAUSE_COMMANDS } from './cause-commands.ts';
import { DEAD_OPTIONS } from './filter-fields.ts';

const EXPORT: Sugar = {
  name: 'export',
  action: 'deadLetters.export',
  summary: 'write dead letters into a file, the newest death first',
  options: [
    ...DEAD_OPTIONS,
    '--format <format> | jsonl (one envelope per line) or csv; default jsonl [one of jsonl, csv]',
    '--payload <how>',
    ...EXPORT_OPTIONS,
    '--limit <n> | at most this many letters; default: all',
  ],
  details:
    'Only the owner can read the file. It gets its name when it is complete. CSV is safe for spreadsheets: no cell is read as a formula.',
  examples: [
    'redrive dlq export --format csv --payload none',
    'redrive dlq export --to - --handler resize',
    'redrive dlq export --output dead.jsonl --force',
  ],
  exits: {
    refused: 'the file of --output exists, and --force is missing',
    not_permitted: 'the file cannot be written',
  },
  render: async () => (await import('./list.ts')).LETTER_LIST,
};

export const DLQ_COMMANDS: CommandGroup = {
  name: 'dlq',
  summary: 'look at dead letters, send them back, throw them away',
  commands: [
    actionCommand({
      name: 'list',
      action: 'deadLetters.list',
      options: DEAD_OPTIONS,
      pages: true,
      rows: 'id, handler, died, attempts, sent again, why',
      details:
        'It prints their number, counted up to 10,000. The column `back` marks letters that were requeued and died again, with how often. With a filter that no index serves, a page looks at 20,000 letters at most, so it can have fewer letters than --limit and still have a `next`.',
      examples: ['redrive dlq list', 'redrive dlq list --handler resize --since 1d --json'],
      render: async () => (await import('./list.ts')).LETTER_LIST,
    }),
    actionCommand({
      name: 'show',
      action: 'deadLetters.show',
      args: [{ name: '<id>' }],
      options: ['--payload <how>'],
      examples: ['redrive dlq show 01a2b3', 'redrive dlq show 01a2b3 --payload full --json'],
      render: async () => (await import('./letter-lines.ts')).LETTER_SHOW,
    }),
    actionCommand({
      name: 'groups',
      action: 'deadLetters.groups',
      options: [...DEAD_OPTIONS, '--limit <n>', AFTER_OPTION],
      rows: 'fingerprint, count, first died, last died, handlers, newest, cause',
      details: `${MANIFEST['deadLetters.groups'].details} Brackets are around the parts of the message that the cause ignores. Correct causes with "redrive dlq merge", "split" and "rename".`,
      examples: ['redrive dlq groups', 'redrive dlq groups --text ECONNREFUSED --json'],
      render: async () => (await import('./groups.ts')).GROUP_LIST,
    }),
    actionCommand({
      name: 'causes',
      action: 'deadLetters.causes',
      options: [...DEAD_OPTIONS, '--limit <n>'],
      examples: ['redrive dlq causes', 'redrive dlq causes --since 1d --handler resize --json'],
      render: async () => (await import('./causes.ts')).DEAD_CAUSES,
    }),
    actionCommand({
      name: 'stats',
      action: 'deadLetters.stats',
      options: DEAD_OPTIONS,
      examples: ['redrive dlq stats', 'redrive dlq stats --handler resize --json'],
      render: async () => (await import('./stats.ts')).DEAD_STATS,
    }),
    {
      name: 'import',
      summary: 'take over a queue of failed messages: each becomes a dead letter',
      args: [
        { name: '<bus>', summary: 'name of the bus in the configuration' },
        { name: '<queue>', summary: 'the queue of failed messages; JetStream: the stream' },
      ],
      options: [
        '--to <destination> | the queue or subject that a requeued letter is published to; default: the queue that the message died in first, or that of the source that gave it up',
        '--subject <subject> | JetStream: only messages of this subject; wildcards are allowed',
        '--limit <n> | at most this many messages; default: all that wait now',
      ],
      uses: 'store',
      acts: true,
      details:
        'Each batch is stored, and only then acknowledged. Dead-letter payloads (`original_event`, `abandoned_reason` and so on) and the header `x-death` of the broker give reason, attempts and error. The handler is `events.publish`: requeueing a letter publishes the original message. A message that was imported before is acknowledged and counted. Messages of JetStream stay in their stream: the consumer `redrive-import` remembers which of them were imported. A dry run changes nothing; on JetStream it reads the messages, on RabbitMQ it only counts them.',
      examples: [
        'redrive dlq import rabbit parsing.failed --dry-run',
        'redrive dlq import main dlq --subject chunking.dlq --to json.parsed',
      ],
      json: `
        bus | text | address of the broker, without credentials
        queue | text | as given
        dry_run | boolean | true: nothing was taken
        waiting | number | messages that waited before
        imported | number | dead letters that were stored, or would be
        duplicates | number | messages that were imported before
        without_destination | number or null | dry run: messages that do not say where they came from; null: not known
      `,
      exits: {
        failed:
          'a message does not say where it came from and --to is missing, or the queue cannot be taken',
        no_match: 'no bus has this name',
        unreachable: 'the broker or the store does not answer',
      },
      load: async () => (await import('./import.ts')).runDlqImport,
    },
    {
      ...actionCommand(EXPORT),
      json: `
        file | text | the file that was written
        format | "jsonl" or "csv" | its format
        payload | "none", "redacted" or "full" | how payloads are written
        letters | number | dead letters in it
      `,
      load: async () => (await import('./export.ts')).exportCommand(EXPORT),
    },
    ...ACT_COMMANDS,
    ...CAUSE_COMMANDS,
  ],
};
