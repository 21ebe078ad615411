import { MANIFEST } from '@redrive/operate/manifest';
import { actionCommand, fieldsUnder, fieldsWithout } from '../action/action-command.ts';
import type { CommandGroup, CommandSpec, OptionEntry } from '../command/command-spec.ts';
import { EXPORT_OPTIONS, JSON_OPTION } from '../command/common-options.ts';

const FILTERS: readonly OptionEntry[] = [
  ...['--event <event>', '--format <shape>', '--category <name>', '--operation <name>'],
  ...['--tenant <name>', '--correlation <id>', '--trace <id>', '--session <id>', '--by <text>'],
  ...['--since <time>', '--until <time>'],
];

/** A record of the log, as `list` prints it. */
const FOUND_FIELDS = fieldsUnder('audit.list', 'records[].');

/** Options by which a saved head is given, as `audit verify` has them. */
export function headOptions(meaning: string): readonly OptionEntry[] {
  return [
    { flags: '--head <seq:hash>', summary: meaning },
    '--head-file <file> | the same, from a file: the head, or what verify --json printed [not with head]',
  ];
}

const ANCHOR = `
  anchor | object or null | \`seq\`, \`hash\` and \`time\` of the anchor over it
  head | object or null | \`seq\` and \`hash\` of the head that the proof is valid for
`;

const PROVE_COMMAND = actionCommand({
  name: 'prove',
  action: 'audit.prove',
  args: [{ name: '<record>', summary: MANIFEST['audit.prove'].input[0].summary }],
  options: [
    ...headOptions('the proof reaches this head, saved before; default: the newest anchor'),
    ...EXPORT_OPTIONS,
  ],
  examples: ['redrive audit prove 01a2b3 --to - > proof.json'],
  jsonFields: `
    file | text | the file that was written
    record | text | the block's number and the place in it
    other_records | number | other records of the same transaction that the proof contains
    ${ANCHOR}
  `,
  exits: {
    failed: 'there is no proof: the record is not sealed yet, or the proof does not reach the head',
    refused: 'the file of --output exists, and --force is missing',
    not_permitted: 'the file cannot be written',
  },
  run: async () => (await import('./prove.ts')).runAuditProve,
});

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

/** The verdict, without what is said while it runs. */
const VERDICT_FIELDS = fieldsWithout('audit.verify', /^(?:state|pass|share|problems\[\]\.where\.)/);

export const AUDIT_COMMANDS: CommandGroup = {
  name: 'audit',
  summary: 'read, follow, export, verify, replay, prove and import into the audit log',
  commands: [
    actionCommand({
      name: 'list',
      action: 'audit.list',
      options: FILTERS,
      pages: true,
      examples: [
        'redrive audit list',
        'redrive audit list --event requeue --event purge --since 7d --json',
        'redrive audit list --event retry_attempt --format event/v1 --jsonl',
      ],
      rows: 'time, event, id, what',
      render: async () => (await import('./list.ts')).AUDIT_LIST,
    }),
    actionCommand({
      name: 'tail',
      action: 'audit.tail',
      summary: 'print the newest records, then new ones as they are written, until Ctrl-C',
      details:
        'With --json it prints one object per line. A transaction that commits long after others that began later may be missed here; list and export show all.',
      options: [...FILTERS, '--limit <n>', '--for <time>'],
      streams: true,
      examples: ['redrive audit tail --for 0s'],
      jsonFields: FOUND_FIELDS,
      run: async () => (await import('./tail.ts')).runAuditTail,
    }),
    actionCommand({
      name: 'export',
      action: 'audit.export',
      summary: 'write records into a file of JSON lines, the oldest first',
      details:
        'It exports the log as it is at one moment; workers can continue to write. Only the owner can read the file. A line has the fields of `redrive audit list --jsonl`, or the shape of --format.',
      options: [...FILTERS, ...EXPORT_OPTIONS],
      examples: [
        'redrive audit export',
        'redrive audit export --to - --since 1d',
        'redrive audit export --format session/v1 --to -',
      ],
      jsonFields: `
        file | text | the file that was written
        records | number | lines in it
      `,
      exits: {
        refused: 'the file of --output exists, and --force is missing',
        not_permitted: 'the file cannot be written',
      },
      run: async () => (await import('./export.ts')).runAuditExport,
    }),
    actionCommand({
      name: 'verify',
      action: 'audit.verify',
      details:
        'It checks the log as it is at one moment; workers can continue to write. It also reads a SQLite store on a read-only mount. Save the head that it prints in a place that the users of the store cannot write to: without a saved head, missing records at the end of the log cannot be detected.',
      options: headOptions('the log must contain this head, saved before'),
      examples: ['redrive audit verify', 'redrive audit verify --json'],
      jsonFields: VERDICT_FIELDS,
      exits: { failed: 'it found a problem' },
      verdict: true,
      run: async () => (await import('./verify.ts')).runAuditVerify,
    }),
    actionCommand({
      name: 'replay',
      action: 'audit.replay',
      summary: 'show step by step why each decision of a session was made',
      details:
        'It prints the input of `decide`, the decision that `decide` makes from it now, and the recorded decision. It reads the whole log.',
      args: [{ name: '<session>', summary: 'id of the session, or of a job' }],
      input: ({ args }) => ({ id: args[0] }),
      examples: ['redrive audit replay 01a2b3'],
      // `input` and `policy` have more fields than are described.
      jsonFields: fieldsWithout('audit.replay', /\.(?:input|policy)\./),
      exits: { failed: 'a derived decision differs from the recorded one' },
      verdict: true,
      render: async () => (await import('./replay.ts')).AUDIT_REPLAY,
    }),
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
