import { systemClock } from '@redrive/core';
import { type AuditProof, proveRecord } from '@redrive/durable/audit';
import { counted, findRecord, type NoProof, recordsIn } from '@redrive/durable/store';
import type { Options, RunCommand } from '../command/command-spec.ts';
import { withReader } from '../store/with-audit.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { writeExport } from '../terminal/export-target.ts';
import { type Io, printJson, printLines } from '../terminal/io.ts';
import { printable, safeJson, wrapWords } from '../terminal/printable.ts';
import { headText, savedHead } from './saved-head.ts';

export const runAuditProve: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const head = savedHead(io, options);
  const [wanted = ''] = args;
  const answer = await withStore(invocation, async (store) => {
    const place = (await findRecord(store, wanted)) ?? noSuchRecord(wanted);
    return withReader(store, (reader) => proveRecord(reader, place, { head }));
  });
  if (answer.proof === undefined) {
    const { problem, message } = answer;
    const exit = problem === 'no_record' ? 'no_match' : 'failed';
    throw new CliError(exit, message, HINTS[problem]);
  }
  const { proof } = answer;
  const file = await write(io, options, proof);
  if (file === '-') warn(io, proof);
  else if (options.json) printJson(io, documentOf(proof, file));
  else printLines(io, linesOf(io, proof, file));
};

const HINTS: Readonly<Record<NoProof, string>> = {
  no_record: 'Pass the "record" that "redrive audit list --jsonl" prints.',
  not_sealed:
    'Try again in about a second: a running worker seals once a second. While none runs, nothing is sealed.',
  head_too_old: 'Pass a head that was saved later, or leave out --head.',
  head_unknown:
    'The head is from another store, or this log was cut or rewritten. To find out, run "redrive audit verify" with this head.',
  chain_too_long:
    'Pass a head nearer to the record with --head, such as one that the other side saved soon after it.',
  not_sound: 'The log has a problem at this record. To see it, run "redrive audit verify".',
};

/** Writes the proof to a file that only its owner can read, or to stdout. Answers its name. */
function write(io: Io, options: Options, proof: AuditProof): Promise<string> {
  const nowMs = (io.clock ?? systemClock).now();
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `proof-${proof.block.seq}-${proof.index}-${time}.json`;
  return writeExport(io, options, name, (write) =>
    write(`${safeJson(JSON.stringify(proof, null, 2))}\n`),
  );
}

function documentOf({ block, index, anchor, head }: AuditProof, file: string) {
  return {
    file,
    record: `${block.seq}.${index}`,
    other_records: othersIn(block),
    anchor: { seq: anchor.seq, hash: anchor.hash, time: new Date(anchor.atMs).toISOString() },
    head,
  };
}

function linesOf({ screen }: Io, proof: AuditProof, file: string): string[] {
  const { block, index, head } = proof;
  const others = otherText(block);
  return [
    ...wrapWords(
      printable(`The proof of record ${block.seq}.${index} is in ${file}.`),
      screen.columns,
    ),
    ...(others === undefined ? [] : wrapWords(others, screen.columns)),
    '',
    `${screen.paint('cyan', 'head')} ${headText(head)}`,
    ...wrapWords(
      'To check the proof, somebody needs this head, or an older one that covers the record, from another source, and no store: "redrive audit check-proof".',
      screen.columns,
    ),
  ];
}

/** Goes to stderr where stdout is the proof itself. */
function warn(io: Io, { block }: AuditProof): void {
  const others = otherText(block);
  if (others !== undefined) io.stderr(`${others}\n`);
}

/** A block's hash is over its whole body, so the whole body has to go along. */
function otherText(block: AuditProof['block']): string | undefined {
  const others = othersIn(block);
  if (others === 0) return undefined;
  return `The proof also contains ${counted(others, 'other record')} of the same transaction: read before you pass the proof on.`;
}

function othersIn(block: AuditProof['block']): number {
  return recordsIn(block).length - 1;
}

function noSuchRecord(text: string): never {
  const hint = 'Give it the id of a job, or the "record" that "redrive audit list --jsonl" prints.';
  throw new CliError('no_match', `The audit log has no record ${text}.`, hint);
}
