import type { CommandGroup } from '../command/command-spec.ts';

const COLLECTION = { name: '<collection>', summary: 'name of the collection under sweeps' };

const NUMBERS = `
  retry_job_documents_requeued_total | object | documents whose event was sent again, by collection
  retry_job_documents_skipped_backoff_total | object | documents that were stuck and waited for their back-off, by collection
  retry_job_documents_max_retries_exceeded_total | object | documents that were marked as failed, by collection
  retry_job_runs_total | object | runs, by success and failure
  retry_job_errors_total | object | errors, by type
  retry_job_stuck_documents | object | stuck documents after the last run, by collection, counted up to 100,000
  retry_job_failed_documents | object | failed documents after the last run, by collection, counted up to 100,000
  retry_job_documents_waiting | object | documents whose event waits to be sent after the last run, by collection, counted up to 100,000
  retry_job_duration_seconds_sum | number | seconds of all runs together
  retry_job_duration_seconds_count | number | runs
  retry_job_duration_seconds_bucket | object | runs that took at most this many seconds
  retry_job_last_success_timestamp_seconds | number | when the last successful run ended, in Unix time; absent: none did
`;

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
      load: async () => (await import('./run.ts')).runSweepRun,
    },
    {
      name: 'status',
      summary: 'show the numbers of all sweeps so far',
      uses: 'store',
      reads: 'metrics',
      examples: ['redrive sweep status', 'redrive sweep status --json'],
      json: NUMBERS,
      load: async () => (await import('./status.ts')).runSweepStatus,
    },
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
    {
      name: 'schedule',
      summary: 'send the event of one document at a given time',
      args: [COLLECTION, { name: '<id>', summary: 'id of the document' }],
      options: ['--at <time> | a time, or +2h; default: now'],
      acts: true,
      uses: 'store',
      details:
        'It enqueues a job that claims the document when it runs, whatever its age and its back-off are, and counts an attempt. A document that is done by then is not sent. A failed document is pending again.',
      examples: [
        "redrive sweep schedule archives a-17 --at +2h --reason 'the parser is fixed by then'",
      ],
      json: `
        collection | text | its name
        document | text | its id
        job | text or null | the job that sends the event; null: --dry-run
      `,
      exits: { no_match: 'there is no such document', conflict: 'the document is done' },
      load: async () => (await import('./stuck.ts')).runSweepSchedule,
    },
  ],
};

const DOCUMENT_FIELDS = `
  collection | text | its collection
  id | text | its id
  status | text | its status
  attempt_count | any | its count of attempts
  last_attempt_time | time or null | its last attempt; null: none, or not a time
  error | text or null | the last error that its owner kept
`;

/** `redrive stuck …` */
export const STUCK_COMMANDS: CommandGroup = {
  name: 'stuck',
  summary: 'list, explain and release stuck documents',
  commands: [
    {
      name: 'list',
      summary: 'list stuck documents, the longest stuck first',
      args: [{ name: '[collection]', summary: 'one collection; all without one' }],
      options: [
        '--invalid | documents whose count, time or id cannot be right, which are never sent',
      ],
      uses: 'store',
      pages: true,
      rows: 'collection, id, status, attempts, last attempt, stuck for, next, error',
      examples: ['redrive stuck list archives', 'redrive stuck list --invalid --json'],
      json: `
        documents | list | by collection, the longest stuck first
        ${DOCUMENT_FIELDS.replaceAll(/^ {2}(?=\w)/gm, '  documents[].')}
        documents[].stuck_since | time or null | when a sweep first found it
        documents[].next | text | what the next sweep does with it: send, wait, fail, or the problem of an invalid one; stopped: sweeps are stopped, as stuck explain says; running: its last attempt may still run; unsent: its event waits for its job; count: its event was sent; dead letter: its event could not be sent
        documents[].due | time or null | when its back-off ends
      `,
      load: async () => (await import('./stuck.ts')).runStuckList,
    },
    {
      name: 'explain',
      summary: 'say why a document was not sent again, and when it will be',
      args: [COLLECTION, { name: '<id>', summary: 'id of the document' }],
      uses: 'store',
      examples: ['redrive stuck explain archives a-17'],
      json: `
        ${DOCUMENT_FIELDS}
        event | text or null | id of the last event that a sweep sent, and of its job
        event_sent | boolean or null | true: the broker has confirmed it; false: it waits
        stuck_since | time or null | when a sweep first found it
        backoff_factor | number | how many times as long the back-off is; 1 without dynamic_backoff
        verdict | text | in one sentence
        due | time or null | when its back-off ends
        stuck_at | time or null | when it counts as stuck; null: it does, or its status says that it never does
        stopped | text or null | what stops sweeps of the collection now
      `,
      exits: { no_match: 'there is no such document' },
      load: async () => (await import('./stuck.ts')).runStuckExplain,
    },
    {
      name: 'release',
      summary: 'send the events of documents now, whatever their age and back-off are',
      args: [COLLECTION, { name: '<ids...>', summary: 'ids of documents' }],
      acts: true,
      uses: 'store',
      details: 'Each becomes a job that claims its document when it runs, and counts an attempt.',
      examples: ["redrive stuck release archives a-17 a-18 --reason 'the parser is back'"],
      json: `
        collection | text | its name
        released | number | documents whose event is a job now, or would be
        refused | any | the others: \`id\` and \`why\`
      `,
      exits: { partial: 'some documents do not exist, or are done' },
      load: async () => (await import('./stuck.ts')).runStuckRelease,
    },
  ],
};

const ACT = `
  collection | text | its name
  act | text | reset, archive or purge
  done | number | documents that were changed, or would be
  left | number | documents that were not failed any more
`;
const IDS = { name: '[ids...]', summary: 'ids of documents; without one, all failed ones' };

/** `redrive documents …` */
export const DOCUMENTS_COMMANDS: CommandGroup = {
  name: 'documents',
  aliases: ['document'],
  summary: 'failed documents: list, export, reset, archive, purge',
  commands: [
    {
      name: 'list',
      summary: 'list failed documents, the oldest attempt first',
      args: [{ name: '[collection]', summary: 'one collection; all without one' }],
      uses: 'config',
      pages: true,
      rows: 'collection, id, status, attempts, last attempt, error',
      examples: ['redrive documents list archives'],
      json: `
        documents | list | by collection, the oldest attempt first
        ${DOCUMENT_FIELDS.replaceAll(/^ {2}(?=\w)/gm, '  documents[].')}
        documents[].dead_letter | text or null | the dead letter of it
      `,
      load: async () => (await import('./documents.ts')).runDocumentsList,
    },
    {
      name: 'export',
      summary: 'write failed documents of a collection to a file, as dead letters',
      args: [COLLECTION],
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
    {
      name: 'reset',
      summary: 'make failed documents pending again, as never attempted: the next sweep sends them',
      args: [COLLECTION, IDS],
      options: ['-y, --yes | confirm without ids: all failed documents'],
      acts: true,
      uses: 'store',
      details:
        'To send their events at a rate and in stages, requeue their dead letters: "redrive dlq requeue --handler documents.<collection> --rate 50/s". That resets each document and sends its event.',
      examples: [
        'redrive documents reset archives a-18',
        "redrive documents reset archives --yes --reason 'parser fixed'",
      ],
      json: ACT,
      exits: { no_match: 'no document is failed', refused: 'the confirmation (--yes) is missing' },
      load: async () => (await import('./documents.ts')).runDocumentsReset,
    },
    {
      name: 'archive',
      summary: 'move failed documents to <collection>_dead_letters',
      args: [COLLECTION, IDS],
      options: ['-y, --yes | confirm without ids: all failed documents'],
      acts: true,
      uses: 'store',
      examples: ['redrive documents archive archives --yes'],
      json: ACT,
      exits: { no_match: 'no document is failed', refused: 'the confirmation (--yes) is missing' },
      load: async () => (await import('./documents.ts')).runDocumentsArchive,
    },
    {
      name: 'purge',
      summary: 'delete failed documents for good',
      args: [COLLECTION, IDS],
      options: [
        '--confirm <collection> | the name of the collection again: without it, only the number is printed',
      ],
      acts: true,
      uses: 'store',
      details: 'It cannot be undone. Export or archive first.',
      examples: ["redrive documents purge archives --confirm archives --reason 'corrupt files'"],
      json: ACT,
      exits: {
        no_match: 'no document is failed',
        refused: 'the confirmation (--confirm) is missing',
      },
      load: async () => (await import('./documents.ts')).runDocumentsPurge,
    },
  ],
};
