import type { CommandGroup } from '../command/command-spec.ts';
import { AFTER_OPTION, EXPORT_OPTIONS } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';
import { SUMMARY_FIELDS } from '../jobs/job-fields.ts';
import { ACT_COMMANDS } from './act-commands.ts';
import { CAUSE_COMMANDS } from './cause-commands.ts';
import { DEAD_FILTERS } from './filter-fields.ts';

const LETTER_SUMMARY_FIELDS = `
  ${SUMMARY_FIELDS}
  fingerprint | text or null | fingerprint of its cause, for --group
  came_back | boolean | true: it was requeued, and died again
`;

/** How many there are, under `at`. */
const countFields = (at: string, what: string) => `
  ${at} | map | ${what}
  ${at}.count | number | dead letters, up to the counting limit
  ${at}.bounded | boolean | true: there are more, or may be
`;

/** A cause, under `at`. */
const GROUP_FIELDS = `
  fingerprint | text | for --group
  pattern | text | the error text, without the parts that differ from case to case
  count | number | dead letters, up to the counting limit
  bounded | boolean | true: there are more
  first_died_at | time | the first death
  last_died_at | time | the newest death
  newest_id | text | id of the letter that died last
  sampled | number | its newest letters that were looked at, for the next four
  handlers | list | handlers of these letters, by name
  reason_codes | list | reason codes of these letters
  came_back | number | these letters that were requeued and died again
  trend | list | deaths of these letters in each of the last 24 hours, the oldest first
  last_message | list | the message of the newest letter, in parts; empty: there is none
  last_message[].text | text | a part, secrets masked
  last_message[].varies | boolean | true: it differs from case to case, and the cause ignores it
  next | text | the next command to type
`;

/** The envelope of `docs/reference/dead-letters.md`, and what there is beside it. */
const LETTER_FIELDS = `
  original_event | any | the payload: masked and cut, unless --payload says otherwise
  idempotency_key | text | the key that the handler passed on
  attempt_count | number | charged attempts of this generation, over all rungs
  last_error | text | type and message of the newest error
  error_type | text | its type
  abandoned_reason | text | max_attempts_exceeded, ttl_exceeded or non_retryable
  service_name | text | the first part of the handler's name
  timestamp | time | when it was given up
  redrive | object | further fields: see [dead letters](dead-letters.md#the-envelope)
  state | "dead" or "purged" | purged: deleted, and can still be restored
  came_back | boolean | true: it was requeued, and died again
  ${countFields('same_cause', 'dead letters of the same cause, itself included')}
  earlier_payloads | list | those that edits have replaced, the oldest first
  earlier_payloads[].generation | number | attempts that ran with it
  earlier_payloads[].replaced_at | time | when it was replaced
  earlier_payloads[].by | text | who replaced it
  earlier_payloads[].payload | any | shown as the payload is
`;

const PAYLOAD_OPTION =
  '--payload <how> | payload and headers: none, redacted (secrets masked, cut) or full; default redacted [one of none, redacted, full]';

const bucketFields = (at: string, what: string) => `
  ${at} | list | ${what}
  ${at}[].from | time | its beginning, UTC
  ${at}[].count | number | deaths in it
  ${at}[].bounded | boolean | true: there are more
`;

export const DLQ_COMMANDS: CommandGroup = {
  name: 'dlq',
  summary: 'look at dead letters, send them back, throw them away',
  commands: [
    {
      name: 'list',
      summary: 'list dead letters, the newest death first',
      options: DEAD_FILTERS,
      pages: true,
      uses: 'store',
      reads: 'sessions',
      rows: 'id, handler, died, attempts, sent again, why',
      details:
        'It prints their number, counted up to 10,000. The column `back` marks letters that were requeued and died again, with how often. With a filter that no index serves, a page looks at 20,000 letters at most, so it can have fewer letters than --limit and still have a `next`.',
      examples: ['redrive dlq list', 'redrive dlq list --handler resize --since 1d --json'],
      json: `
        letters | list | newest death first
        ${under('letters[].', LETTER_SUMMARY_FIELDS)}
        ${countFields('total', 'of all pages')}
      `,
      load: async () => (await import('./list.ts')).runDlqList,
    },
    {
      name: 'show',
      summary: 'print a dead letter: why it died, what to do next, every attempt, its payload',
      args: [{ name: '<id>', summary: 'id of the dead letter' }],
      options: [PAYLOAD_OPTION],
      uses: 'store',
      reads: 'payloads',
      details: 'Payloads that edits have replaced are shown as well.',
      examples: ['redrive dlq show 01a2b3', 'redrive dlq show 01a2b3 --payload full --json'],
      json: LETTER_FIELDS,
      exits: { no_match: 'there is no dead letter with that id' },
      load: async () => (await import('./letter-lines.ts')).runDlqShow,
    },
    {
      name: 'groups',
      summary: 'list the causes of dead letters, the one with the newest death first',
      options: [
        ...DEAD_FILTERS,
        '--limit <n> | number of causes, 1 to 100; default 20',
        AFTER_OPTION,
      ],
      uses: 'store',
      reads: 'sessions',
      rows: 'fingerprint, count, first died, last died, handlers, newest, cause',
      details:
        'Errors that differ only in numbers, ids, addresses, times and quoted texts have one cause; numbers that carry a meaning count, such as the status of HTTP or the reply code of a mail server. Each is counted up to 10,000, and has the message of its newest letter, the handlers of its newest 100 letters and the next command to type. Brackets are around the parts of the message that the cause ignores. Correct causes with "redrive dlq merge", "split" and "rename".',
      examples: ['redrive dlq groups', 'redrive dlq groups --text ECONNREFUSED --json'],
      json: `
        groups | list | newest death first
        ${under('groups[].', GROUP_FIELDS)}
      `,
      load: async () => (await import('./groups.ts')).runDlqGroups,
    },
    {
      name: 'causes',
      summary: 'compare dead letters of each cause with jobs that succeeded',
      options: [...DEAD_FILTERS, '--limit <n> | number of groups, 1 to 100; default 20'],
      uses: 'store',
      reads: 'sessions',
      details:
        'For each group of "redrive dlq groups" it names the handler, queue, tenant, collection, worker, policy version, payload kind or hour of the first attempt, or a pair of these, that sets its dead letters apart from jobs that succeeded. --handler, --queue, --tenant and --tag select the succeeded jobs too. It looks at the newest 20,000 dead letters, and at up to 20,000 succeeded jobs that were submitted in the same hours. If more jobs succeeded, only jobs that were submitted in some minutes of that time are compared, evenly over it. A cause has at least 5 dead letters, at least twice the odds of failing, and a score above 2 ln(n / 0.01), where n is the number of values and pairs in the group: about one in 100 groups without a cause gets one by chance. The score is the G statistic of the four counts, less 6 for a pair.',
      examples: ['redrive dlq causes', 'redrive dlq causes --since 1d --handler resize --json'],
      json: `
        looked_at | map | how many jobs were compared
        ${countFields('looked_at.letters', 'the newest ones').replaceAll(', up to the counting limit', '')}
        looked_at.succeeded | map | jobs that succeeded
        looked_at.succeeded.count | number | jobs
        looked_at.succeeded.bounded | boolean | true: there are more, so only jobs of some minutes of the window are compared
        window | map | the jobs were submitted in this time
        window.from | time or null | its beginning; null: no dead letter matches
        window.to | time or null | its end
        groups | list | the largest first
        groups[].fingerprint | text | for --group
        groups[].pattern | text | the error text, without the parts that differ from case to case
        groups[].count | number | dead letters
        groups[].compared | number | of these, letters that were compared
        groups[].causes | list | at most 3, the best first; empty: nothing sets the group apart
        groups[].causes[].values | list | one value, or a pair
        groups[].causes[].values[].dimension | text | handler, queue, tenant, collection, worker, policy_version, payload_kind or hour
        groups[].causes[].values[].value | text | the value
        groups[].causes[].letters | map | dead letters of the group
        groups[].causes[].letters.with | number | with this value, or both
        groups[].causes[].letters.without | number | the others
        groups[].causes[].succeeded | map | succeeded jobs
        groups[].causes[].succeeded.with | number | with this value, or both
        groups[].causes[].succeeded.without | number | the others
        groups[].causes[].g | number | the G statistic of these four counts
        groups[].causes[].score | number | g, less 6 for a pair
        groups[].suggestion | text or null | what to look at first
        groups[].next | text | the next command to type
      `,
      load: async () => (await import('./causes.ts')).runDlqCauses,
    },
    {
      name: 'stats',
      summary: 'count dead letters by reason, handler, cause and time',
      options: DEAD_FILTERS,
      uses: 'store',
      reads: 'metrics',
      details:
        'Counting stops at 10,000, for each hour and day as well; reasons and handlers are those of the newest 10,000.',
      examples: ['redrive dlq stats', 'redrive dlq stats --handler resize --json'],
      json: `
        ${countFields('total', 'dead letters')}
        oldest_died_at | time or null | the first death
        oldest_id | text or null | of that one
        newest_died_at | time or null | the newest death
        tallied | number | number of newest letters that the next fields cover
        came_back | number | of these, letters that were requeued and died again
        reasons | list | of these letters, the most frequent first
        reasons[].reason | text | a reason code
        reasons[].count | number | how many
        handlers | list | of these letters, the most frequent first
        handlers[].handler | text | its name
        handlers[].count | number | how many
        causes | list | at most 10, the newest death first
        ${under('causes[].', GROUP_FIELDS)}
        ${bucketFields('per_hour', 'the last 24 hours, the oldest first')}
        ${bucketFields('per_day', 'the last 14 days, the oldest first')}
      `,
      load: async () => (await import('./stats.ts')).runDlqStats,
    },
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
      name: 'export',
      summary: 'write dead letters into a file, the newest death first',
      options: [
        ...DEAD_FILTERS,
        '--format <format> | jsonl (one envelope per line) or csv; default jsonl [one of jsonl, csv]',
        PAYLOAD_OPTION,
        ...EXPORT_OPTIONS,
        '--limit <n> | at most this many letters; default: all',
      ],
      uses: 'store',
      reads: 'payloads',
      details:
        'Only the owner can read the file. It gets its name when it is complete. CSV is safe for spreadsheets: no cell is read as a formula.',
      examples: [
        'redrive dlq export --format csv --payload none',
        'redrive dlq export --to - --handler resize',
        'redrive dlq export --output dead.jsonl --force',
      ],
      json: `
        file | text | the file that was written
        format | "jsonl" or "csv" | its format
        payload | "none", "redacted" or "full" | how payloads are written
        letters | number | dead letters in it
      `,
      exits: {
        refused: 'the file of --output exists, and --force is missing',
        not_permitted: 'the file cannot be written',
      },
      load: async () => (await import('./export.ts')).runDlqExport,
    },
    ...ACT_COMMANDS,
    ...CAUSE_COMMANDS,
  ],
};
