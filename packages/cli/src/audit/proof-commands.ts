import type { CommandSpec, OptionEntry } from '../command/command-spec.ts';
import { EXPORT_OPTIONS, JSON_OPTION } from '../command/common-options.ts';

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

export const PROVE_COMMAND: CommandSpec = {
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

export const CHECK_PROOF_COMMAND: CommandSpec = {
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
