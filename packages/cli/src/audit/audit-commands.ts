import type { CommandGroup, CommandSpec, OptionEntry } from '../command/command-spec.ts';
import { EXPORT_OPTIONS, JSON_OPTION } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';
import { FOUND_FIELDS, RECORD_FORMATS, RENDERED_EVENTS, REPLAY_FIELDS } from './record-fields.ts';

const EVENTS =
  `enqueue replace claim settle lease_lost unpark run_now cancel expire requeue reset purge restore prune pause
  resume control session config read act set_aside put_back`.split(/\s+/);

const FILTERS: readonly OptionEntry[] = [
  {
    flags: '--event <event>',
    summary:
      'only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated',
    choices: [...EVENTS, ...RENDERED_EVENTS],
    repeats: true,
  },
  {
    flags: '--format <shape>',
    summary:
      'print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape',
    choices: [...RECORD_FORMATS],
  },
  '--category <name> | only of this category, of calls or of the policies of jobs',
  '--operation <name> | only of this operation of calls or handler of jobs',
  '--tenant <name> | only of this tenant',
  '--correlation <id> | only with this correlation id',
  '--trace <id> | only with this trace id',
  '--session <id> | only about this session or job',
  '--by <text> | only by an actor whose name contains this',
  '--since <time> | at this time or later; 2h: within the last 2 hours',
  '--until <time> | before this time; 10m: more than 10 minutes ago',
];

/** Options by which a saved head is given, as `audit verify` has them. */
export function headOptions(meaning: string): readonly OptionEntry[] {
  return [
    { flags: '--head <seq:hash>', summary: meaning },
    '--head-file <file> | the same, from a file: the head, or what verify --json printed [not with head]',
  ];
}

const RECORD =
  'the id of a job (its newest record), <id>@<revision>, or the record that list --json prints';

const ANCHOR = `
  anchor | object or null | \`seq\`, \`hash\` and \`time\` of the anchor over it
  head | object or null | \`seq\` and \`hash\` of the head that the proof is valid for
`;

const PROVE_COMMAND: CommandSpec = {
  name: 'prove',
  summary: 'write a proof that a record is in the log, for people without the store',
  args: [{ name: '<record>', summary: RECORD }],
  options: [
    ...headOptions('the proof reaches this head, saved before; default: the newest anchor'),
    ...EXPORT_OPTIONS,
  ],
  uses: 'store',
  reads: 'sessions',
  details:
    "The proof contains the other records of the same transaction too, because the block's hash covers them; the command prints how many. A record that is not sealed yet has no proof: a worker seals about once a second.",
  examples: ['redrive audit prove 01a2b3 --to - > proof.json'],
  json: `
    file | text | the file that was written
    record | text | the block's number and the place in it
    other_records | number | other records of the same transaction that the proof contains
    ${ANCHOR}
  `,
  exits: {
    failed: 'there is no proof: the record is not sealed yet, or the proof does not reach the head',
    no_match: 'the log has no such record',
    refused: 'the file of --output exists, and --force is missing',
    not_permitted: 'the file cannot be written',
  },
  load: async () => (await import('./prove.ts')).runAuditProve,
};

const CHECK_PROOF_COMMAND: CommandSpec = {
  name: 'check-proof',
  summary: 'check a proof against a head that you have, without a store',
  args: [{ name: '<file>', summary: 'the file that audit prove wrote' }],
  options: [
    ...headOptions(
      'a head of the log, saved in a place that the users of the store cannot write to',
    ),
    JSON_OPTION,
  ],
  details:
    'It computes every hash from the record to the head. Give it any head that was saved after the record was sealed and that the proof still reaches. Without a head the exit code is 1, and it prints the head for which the proof would be valid. A proof alone shows nothing: anybody can make up a proof and a head that fit together. It refuses a file of more than 64 MiB: no proof is that large.',
  examples: ['redrive audit check-proof proof.json --head-file head.json'],
  json: `
    holds | boolean | true: every hash is right, and the proof reaches the given head
    problem | text or null | why not: see the audit log; no_head: none was given
    message | text or null | the same in words
    record | object or null | the record, as list --json prints it
    place | text or null | the block's number and the place in it
    ${ANCHOR}
  `,
  exits: { failed: 'the proof is not valid, or no head was given' },
  verdict: true,
  load: async () => (await import('./check-proof.ts')).runAuditCheckProof,
};

export const AUDIT_COMMANDS: CommandGroup = {
  name: 'audit',
  summary: 'read, follow, export, verify, replay, prove and import into the audit log',
  commands: [
    {
      name: 'list',
      summary: 'list records of the audit log, the newest first',
      options: FILTERS,
      pages: true,
      uses: 'store',
      reads: 'sessions',
      details:
        'A page looks at 100,000 transactions at most, so it can have fewer records than --limit and still have a `next`. With --format, --limit counts the records of the log that may have a document in the shape: some have none, and one can have two events. `records` then has documents of the shape: see docs/reference/records.md.',
      examples: [
        'redrive audit list',
        'redrive audit list --event requeue --event purge --since 7d --json',
        'redrive audit list --event retry_attempt --format event/v1 --jsonl',
      ],
      rows: 'time, event, id, what',
      json: `
        records | list | newest first
        ${under('records[].', FOUND_FIELDS)}
      `,
      load: async () => (await import('./list.ts')).runAuditList,
    },
    {
      name: 'tail',
      summary: 'print the newest records, then new ones as they are written, until Ctrl-C',
      options: [
        ...FILTERS,
        '--limit <n> | first print this many of the newest records, 1 to 1,000; default 10',
        '--for <time> | exit after this time, such as 30s; default: never',
      ],
      uses: 'store',
      reads: 'sessions',
      streams: true,
      details:
        'With --json it prints one object per line. A transaction that commits long after others that began later may be missed here; list and export show all.',
      examples: ['redrive audit tail --for 0s'],
      json: FOUND_FIELDS,
      load: async () => (await import('./list.ts')).runAuditTail,
    },
    {
      name: 'export',
      summary: 'write records into a file of JSON lines, the oldest first',
      options: [...FILTERS, ...EXPORT_OPTIONS],
      uses: 'store',
      reads: 'sessions',
      details:
        'It exports the log as it is at one moment; workers can continue to write. Only the owner can read the file. A line has the fields of `redrive audit list --jsonl`, or the shape of --format.',
      examples: [
        'redrive audit export',
        'redrive audit export --to - --since 1d',
        'redrive audit export --format session/v1 --to -',
      ],
      json: `
        file | text | the file that was written
        records | number | lines in it
      `,
      exits: {
        refused: 'the file of --output exists, and --force is missing',
        not_permitted: 'the file cannot be written',
      },
      load: async () => (await import('./list.ts')).runAuditExport,
    },
    {
      name: 'verify',
      summary: 'check every hash, chain and anchor, and derive every decision again',
      options: [...headOptions('the log must contain this head, saved before')],
      uses: 'store',
      details:
        'It checks the log as it is at one moment; workers can continue to write. It also reads a SQLite store on a read-only mount. Save the head that it prints in a place that the users of the store cannot write to: without a saved head, missing records at the end of the log cannot be detected.',
      examples: ['redrive audit verify', 'redrive audit verify --json'],
      json: `
        ok | boolean | true: no problem was found
        blocks | number | transactions that were read
        records | number | records in them
        decisions | number | decisions that were derived again
        sealed | number | records under an anchor
        head | object or null | \`seq\`, \`hash\` and \`time\` of the newest anchor: save it
        problems | any | at most 100, each with \`kind\`, \`where\`, \`expected\` and \`found\`
        problems_found | number | how many there are in all
      `,
      exits: { failed: 'it found a problem' },
      verdict: true,
      load: async () => (await import('./verify.ts')).runAuditVerify,
    },
    {
      name: 'replay',
      summary: 'show step by step why each decision of a session was made',
      args: [{ name: '<session>', summary: 'id of the session, or of a job' }],
      uses: 'store',
      reads: 'sessions',
      details:
        'It prints the input of `decide`, the decision that `decide` makes from it now, and the recorded decision. It reads the whole log.',
      examples: ['redrive audit replay 01a2b3'],
      json: REPLAY_FIELDS,
      exits: {
        failed: 'a derived decision differs from the recorded one',
        no_match: 'the log has no such session',
      },
      verdict: true,
      load: async () => (await import('./replay.ts')).runAuditReplay,
    },
    PROVE_COMMAND,
    CHECK_PROOF_COMMAND,
    {
      name: 'import',
      summary:
        'import retry sessions, retry events and retry metrics of version 1.0.0 into the log',
      args: [{ name: '<file>', summary: 'JSON lines, one record each; -: stdin' }],
      acts: true,
      uses: 'store',
      details:
        'It checks every line before it writes the first record: if a line is bad, it names all bad lines and imports nothing. It leaves out records that the log already has, so you can finish an interrupted import by running it again. It masks secrets, and leaves out results and stack traces. A line has at most 1 MiB, a file 1,000,000 records, stdin 64 MiB. With --dry-run it needs no store. Sessions count at their own times in "redrive metrics show"; metrics are kept per time window and count where no session ended. Windows must not overlap. Imported records do not have the inputs of their decisions: "redrive audit verify" checks their hashes, and derives no decision from them.',
      examples: ['redrive audit import sessions.jsonl --dry-run'],
      json: `
        sessions | number | in the file
        events | number | in the file
        metrics | number | time windows of metrics in the file
        imported | number | records that were written
        already_imported | number | records that were left out, because the log has them
        repeated | number | lines that were left out, because an earlier line says the same
        dry_run | boolean | whether the file was only checked
        bad_lines | number | more than 0: nothing was imported
        problems | any | at most 100 bad lines, each with \`line\` and \`problem\`
      `,
      exits: {
        failed: 'a line is bad, or the file cannot be read: nothing was imported',
        conflict: 'the file was changed during the import: nothing was imported',
        partial: 'the file was changed during the import: run it again',
      },
      load: async () => (await import('./import.ts')).runAuditImport,
    },
    {
      name: 'compress',
      summary: 'compress old blocks of the log at once; workers do it once an hour',
      options: [
        '--older-than <time> | compress blocks that were sealed at least this long ago; default 7d, as for workers',
      ],
      uses: 'store',
      details:
        'Nothing is deleted, and no hash changes: verify, list, export, replay and prove read it as before. The database keeps the freed space, and uses it again.',
      examples: ['redrive audit compress', 'redrive audit compress --older-than 1d --json'],
      json: `
        packs | number | packs that were made now
        blocks | number | blocks in them
        bytes_before | number | bytes of the blocks before
        bytes_after | number | bytes of the packs
      `,
      exits: { failed: 'a block was changed: run "redrive audit verify"' },
      load: async () => (await import('./compress.ts')).runAuditCompress,
    },
  ],
};
