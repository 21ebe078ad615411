import { MANIFEST } from '@redrive/operate/manifest';
import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup, Invocation } from '../command/command-spec.ts';

const COLLECTION = { name: '<collection>' };
const YES = '-y, --yes | confirm without ids: all failed documents';

const NUMBERS = MANIFEST['sweeps.status'].json
  .split('\n')
  .filter((line) => line.startsWith('retry_job_'))
  .join('\n');

/** `redrive sweep …` */
export const SWEEP_COMMANDS: CommandGroup = {
  name: 'sweep',
  aliases: ['sweeps'],
  summary: 'look for stuck documents, and send their events again',
  commands: [
    {
      name: 'run',
      summary: 'sweep the collections: now, and then at every interval',
      options: [
        '--once | one run, then end',
        {
          flags: '--collection <name>',
          summary: 'only this collection; may be repeated',
          repeats: true,
        },
        '--limit <n> | send at most this many documents per collection; pages come from both ends in turn, the oldest first',
        '-n, --dry-run | count what would be sent, change nothing, and end',
        '--log-format <format> | names of the fields of log lines on stderr; default redrive [one of redrive, ecs, otel]',
      ],
      uses: 'store',
      details:
        'A sweep finds documents that are due, claims them, and enqueues one job per event. Where no worker ("redrive start") has the handler of these jobs, the command carries them out itself; what the broker does not confirm waits for the next run. Sweeps may run at once: no document is sent twice. A collection that fails does not keep the others from being swept.',
      examples: [
        'redrive sweep run --once',
        'redrive sweep run --once --collection archives --dry-run',
      ],
      json: `
        status | "success" or "failure" | failure: the sweep of a collection failed
        duration_seconds | number | of this run
        dry_run | boolean | true: nothing was changed
        collections | list | in the order of the file
        collections[].name | text | its name
        collections[].requeued | number | documents whose event the broker has confirmed, or would be sent
        collections[].waiting | number or null | documents whose event waits to be sent
        collections[].backoff_factor | number | how many times as long the back-off is; 1 without dynamic_backoff
        collections[].skipped_backoff | number | documents that wait for their back-off
        collections[].skipped_young | number | documents below minimum_age
        collections[].max_retries_exceeded | number | documents that were marked as failed, or would be
        collections[].invalid | number | documents whose count, time or id cannot be right
        collections[].changed | number | documents that changed between find and claim, and are left alone
        collections[].stuck | number or null | stuck documents after the run
        collections[].failed | number or null | failed documents after the run
        collections[].stopped | text or null | why nothing was claimed
        collections[].error | text or null | why the sweep failed
        ${NUMBERS}
      `,
      exits: { failed: 'the sweep of a collection failed' },
      onServer: 'On a server, its workers sweep: "redrive schedules run sweeps.run".',
      load: async () => (await import('./run.ts')).runSweepRun,
    },
    actionCommand({
      name: 'status',
      action: 'sweeps.status',
      examples: ['redrive sweep status', 'redrive sweep status --json'],
      render: async () => (await import('./status.ts')).SWEEP_STATUS,
    }),
    {
      name: 'init',
      summary:
        'create the indexes that sweeps need, and on Postgres and SQLite the missing columns',
      args: [{ name: '[collections...]', summary: 'names of collections; all without one' }],
      options: ['-n, --dry-run | print what is missing, and change nothing'],
      uses: 'config',
      details:
        'Without its indexes, a collection with more than 10,000 documents is not swept. Existing indexes and columns stay as they are.',
      examples: ['redrive sweep init --dry-run', 'redrive sweep init archives'],
      json: `
        dry_run | boolean | true: nothing was changed
        collections | list | in the order of the file
        collections[].name | text | its name
        collections[].parts | any | what was created, or is missing: texts
      `,
      exits: { unreachable: 'a database does not answer' },
      load: async () => (await import('./configured-sweeps.ts')).runSweepInit,
    },
    actionCommand({
      name: 'schedule',
      action: 'sweeps.schedule',
      args: [COLLECTION, { name: '<id>' }],
      options: ['--at <time>'],
      examples: [
        "redrive sweep schedule archives a-17 --at +2h --reason 'the parser is fixed by then'",
      ],
      render: async () => (await import('./stuck.ts')).SWEEP_SCHEDULE,
    }),
  ],
};

/** `redrive stuck …` */
export const STUCK_COMMANDS: CommandGroup = {
  name: 'stuck',
  summary: 'list, explain and release stuck documents',
  commands: [
    actionCommand({
      name: 'list',
      action: 'stuck.list',
      args: [{ name: '[collection]' }],
      options: ['--invalid'],
      pages: true,
      rows: 'collection, id, status, attempts, last attempt, stuck for, next, error',
      examples: ['redrive stuck list archives', 'redrive stuck list --invalid --json'],
      render: async () => (await import('./stuck.ts')).STUCK_LIST,
    }),
    actionCommand({
      name: 'explain',
      action: 'stuck.explain',
      args: [COLLECTION, { name: '<id>' }],
      examples: ['redrive stuck explain archives a-17'],
      render: async () => (await import('./stuck.ts')).STUCK_EXPLAIN,
    }),
    actionCommand({
      name: 'release',
      action: 'stuck.release',
      args: [COLLECTION, { name: '<ids...>' }],
      examples: ["redrive stuck release archives a-17 a-18 --reason 'the parser is back'"],
      exits: { partial: 'some documents do not exist, or are done' },
      render: async () => (await import('./stuck.ts')).STUCK_RELEASE,
    }),
  ],
};

const IDS = { name: '[ids...]', summary: 'ids of documents; without one, all failed ones' };
const act = (sugar: Omit<Sugar, 'args' | 'render'>) =>
  actionCommand({
    ...sugar,
    args: [COLLECTION, IDS],
    render: async () => (await import('./documents.ts')).DOCUMENTS_ACT,
  });
/** Without ids all failed documents are meant. */
const isAll = ({ args }: Invocation) => args.length === 1;

/** `redrive documents …` */
export const DOCUMENTS_COMMANDS: CommandGroup = {
  name: 'documents',
  aliases: ['document'],
  summary: 'failed documents: list, export, reset, archive, purge',
  commands: [
    actionCommand({
      name: 'list',
      action: 'documents.list',
      args: [{ name: '[collection]' }],
      pages: true,
      rows: 'collection, id, status, attempts, last attempt, error',
      examples: ['redrive documents list archives'],
      render: async () => (await import('./documents.ts')).DOCUMENTS_LIST,
    }),
    {
      name: 'export',
      summary: 'write failed documents of a collection to a file, as dead letters',
      args: [{ name: '<collection>', summary: 'name of the collection under sweeps' }],
      options: [
        {
          flags: '--format <format>',
          summary: 'JSON lines or CSV; default jsonl',
          choices: ['jsonl', 'csv'],
        },
        '--payload <how> | the documents: none, redacted (secrets masked, cut) or full; default redacted [one of none, redacted, full]',
        '--to <directory> | a new file in this directory; - for stdout; default: this one',
        '--output <file> | this file [not with to]',
        '--force | replace a file that exists',
      ],
      uses: 'config',
      details: 'Each dead letter has the whole document as its original_event.',
      examples: ['redrive documents export archives --output archives_failed.jsonl'],
      json: `
        file | text | the file
        format | "jsonl" or "csv" | its format
        payload | "none", "redacted" or "full" | how the documents are written
        documents | number | documents in it
      `,
      exits: { refused: 'the file exists' },
      load: async () => (await import('./documents.ts')).runDocumentsExport,
    },
    act({
      name: 'reset',
      action: 'documents.reset',
      options: [YES],
      input: (given) => ({ all: isAll(given) && given.options.yes === true }),
      examples: [
        'redrive documents reset archives a-18',
        "redrive documents reset archives --yes --reason 'parser fixed'",
      ],
    }),
    act({
      name: 'archive',
      action: 'documents.archive',
      options: [YES],
      input: (given) => ({ all: isAll(given) && given.options.yes === true }),
      examples: ['redrive documents archive archives --yes'],
    }),
    act({
      name: 'purge',
      action: 'documents.purge',
      options: ['--confirm <collection>'],
      input: (given) => ({ all: isAll(given) }),
      examples: ["redrive documents purge archives --confirm archives --reason 'corrupt files'"],
    }),
  ],
};
