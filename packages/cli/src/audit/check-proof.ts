import { checkProof, type ProofCheck } from '@redrive/durable/audit';
import type { ProofContent } from '@redrive/durable/store';
import { recordAnswer } from '@redrive/operate/texts';
import type { RunCommand } from '../command/command-spec.ts';
import { readSmallFile } from '../config/read-file.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { recordLines } from './record-lines.ts';
import { headText, savedHead } from './saved-head.ts';

/** The longest chain has some 20 MB, and the largest block about the same. */
const MAX_BYTES = 64 * 1024 * 1024;

export const runAuditCheckProof: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const [file = ''] = args;
  const head = savedHead(invocation);
  const text = readSmallFile(io, file, MAX_BYTES, 'Check the path.');
  const check = checkProof(parsed(text), head);
  if (options.json) printJson(io, documentOf(check));
  else printLines(io, linesOf(io.screen, check));
  return check.holds ? EXIT.ok : EXIT.failed;
};

/** A text that is not JSON is not a proof. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function documentOf(check: ProofCheck) {
  const { holds } = check;
  const { problem = null, message = null } = holds ? {} : check;
  return { holds, problem, message, ...contentDocument(says(check)) };
}

/** The content of a proof, if every hash in it is right. */
function says(check: ProofCheck): ProofContent | undefined {
  return check.holds || check.problem === 'no_head' ? check : undefined;
}

function contentDocument(content: ProofContent | undefined) {
  if (content === undefined) return { record: null, place: null, anchor: null, head: null };
  const { record, place, anchor, head } = content;
  return {
    record: recordAnswer(record, place.block),
    place: `${place.block}.${place.index}`,
    anchor: { seq: anchor.seq, hash: anchor.hash, time: new Date(anchor.atMs).toISOString() },
    head: { seq: head.seq, hash: head.hash },
  };
}

function linesOf(screen: Screen, check: ProofCheck): string[] {
  const text = (line: string) => wrapWords(line, screen.columns);
  const content = says(check);
  if (check.holds) {
    const verdict = 'The proof holds: this record is in the log that your head belongs to.';
    return [...text(screen.paint('green', verdict)), '', ...contentLines(screen, check)];
  }
  if (content === undefined) {
    const verdict = screen.paint('red', 'The proof does not hold.');
    return [verdict, ...text(printable(check.message))];
  }
  const verdict = 'The proof is consistent. It holds only if its head is a head of the log:';
  const advice =
    'Compare the head with a head that you saved elsewhere, with --head or --head-file. Without that, an invented proof looks just the same.';
  return [
    ...text(screen.paint('yellow', verdict)),
    '',
    ...contentLines(screen, content),
    '',
    ...text(advice),
  ];
}

function contentLines(screen: Screen, { record, place, anchor, head }: ProofContent): string[] {
  const sealed = `It is record ${place.block}.${place.index}, sealed by anchor ${anchor.seq} at ${formatTime(anchor.atMs)}.`;
  return [
    ...recordLines(screen, recordAnswer(record, place.block)),
    ...wrapWords(sealed, screen.columns),
    '',
    `${screen.paint('cyan', 'head')} ${headText(head)}`,
  ];
}
