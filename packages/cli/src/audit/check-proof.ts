import { checkProof, type ProofCheck } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { readTextFile } from '../config/read-file.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { recordDocument } from './record-document.ts';
import { recordLines } from './record-lines.ts';
import { headText, savedHead } from './saved-head.ts';

/** The longest chain, and a block of the largest body, with room to spare. */
const MAX_BYTES = 256 * 1024 * 1024;

/** `redrive audit check-proof` */
export const runAuditCheckProof: RunCommand = ({ io, args, options }) => {
  const [file = ''] = args;
  const head = savedHead(io, options);
  const text = readTextFile(io, file, MAX_BYTES, 'Check the path.');
  const check = checkProof(parsed(text), head);
  if (options.json) printJson(io, documentOf(check));
  else printLines(io, check.holds ? linesOf(io.screen, check) : refusal(io.screen, check));
  return check.holds ? EXIT.ok : EXIT.failed;
};

/** What is no JSON is no proof. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Holding = Extract<ProofCheck, { holds: true }>;

function documentOf(check: ProofCheck) {
  if (!check.holds) {
    const { problem, message } = check;
    const nothing = { record: null, place: null, anchor: null, head: null, compared: false };
    return { holds: false, problem, message, ...nothing };
  }
  const { record, place, anchor, head, compared } = check;
  return {
    holds: true,
    problem: null,
    message: null,
    record: recordDocument(record, place.block),
    place: `${place.block}.${place.index}`,
    anchor: { seq: anchor.seq, hash: anchor.hash, time: new Date(anchor.atMs).toISOString() },
    head: { seq: head.seq, hash: head.hash },
    compared,
  };
}

function linesOf(screen: Screen, { record, place, anchor, head, compared }: Holding): string[] {
  const text = (line: string) => wrapWords(line, screen.columns);
  const verdict = compared
    ? screen.paint('green', 'The proof holds: this record is in the log of the head that you have.')
    : screen.paint('yellow', 'The proof fits together. Whether it holds depends on its head:');
  const advice = compared
    ? []
    : [
        '',
        ...text(
          'Compare the head with one that you have from elsewhere, with --head or --head-file. Without that, a proof that somebody made up looks just the same.',
        ),
      ];
  return [
    ...text(verdict),
    '',
    ...recordLines(screen, record),
    ...text(
      `It is record ${place.block}.${place.index}, sealed by anchor ${anchor.seq} at ${formatTime(anchor.atMs)}.`,
    ),
    '',
    `${screen.paint('cyan', 'head')} ${headText(head)}`,
    ...advice,
  ];
}

function refusal(screen: Screen, { message }: Extract<ProofCheck, { holds: false }>): string[] {
  const verdict = screen.paint('red', 'The proof does not hold.');
  return [verdict, ...wrapWords(printable(message), screen.columns)];
}
