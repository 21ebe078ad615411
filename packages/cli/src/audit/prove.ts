import { systemClock } from '@redrive/core';
import type { AuditProof } from '@redrive/durable/audit';
import { counted, recordsIn } from '@redrive/durable/store';
import { inWords, placeOf } from '../action/run-action.ts';
import type { RunSugar } from '../action/sugar.ts';
import type { Options } from '../command/command-spec.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { writeExport } from '../terminal/export-target.ts';
import { type Io, printJson, printLines } from '../terminal/io.ts';
import { printable, safeJson, wrapWords } from '../terminal/printable.ts';
import { describeError } from '../terminal/report-error.ts';
import { headInput, headText } from './saved-head.ts';

export const runAuditProve: RunSugar = async (sugar, invocation) => {
  const { io, args, options } = invocation;
  const input = { id: args[0], ...headInput(invocation) };
  const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation, input));
  try {
    const { answer } = await inWords(sugar, () => place.run());
    const proof = answer as unknown as AuditProof; // The answer of this action.
    const file = await write(io, options, proof);
    if (file === '-') warn(io, proof);
    else if (options.json) printJson(io, documentOf(proof, file));
    else printLines(io, linesOf(io, proof, file));
  } catch (error) {
    const { exit, message, hint } = describeError(error);
    // There is no proof: that is the result.
    throw exit === 'conflict' ? new CliError('failed', message, hint, { cause: error }) : error;
  } finally {
    await place.close();
  }
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
