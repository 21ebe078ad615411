import { type Anchor, type Verification, verifyAudit } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withAudit } from '../store/with-audit.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { isoTime } from '../terminal/iso-time.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { headText, savedHead } from './saved-head.ts';

/** `redrive audit verify` */
export const runAuditVerify: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const head = savedHead(io, options);
  const found = await withAudit(invocation, async (reader, newest) => {
    const shown = progress(io, 'records');
    try {
      return await verifyAudit(reader, {
        head,
        // More passes than the first may follow, and nobody knows how many.
        onProgress: ({ pass, records, seq }) =>
          shown.update(records, newest && pass === 1 ? seq / newest : undefined),
      });
    } finally {
      shown.end();
    }
  });
  if (options.json) printJson(io, documentOf(found));
  else printLines(io, linesOf(io.screen, found, head !== undefined));
  return found.ok ? EXIT.ok : EXIT.failed;
};

function documentOf({ problemsFound, head, ...found }: Verification) {
  return {
    ...found,
    head: head ? { seq: head.seq, hash: head.hash, time: isoTime(head.atMs) } : null,
    problems_found: problemsFound,
  };
}

function linesOf(screen: Screen, found: Verification, against: boolean): string[] {
  const { ok, blocks, records, decisions, sealed, head } = found;
  const n = (count: number) => count.toLocaleString('en');
  const verdict = ok
    ? screen.paint('green', 'The audit log is sound.')
    : screen.paint('red', `The audit log has ${counted(found.problemsFound, 'problem')}.`);
  const text = (line: string) => wrapWords(line, screen.columns);
  return [
    verdict,
    ...text(
      `${n(records)} records in ${counted(blocks, 'block')} were read, and ${counted(decisions, 'decision')} derived again.`,
    ),
    ...text(sealText(records, sealed)),
    ...problemLines(screen, found),
    ...(head === undefined ? [] : headLines(screen, head, ok && against)),
  ];
}

function headLines(screen: Screen, head: Anchor, isSaved: boolean): string[] {
  const advice = isSaved
    ? 'The head that you saved is in the log.'
    : 'Save it where nobody can write who can write to the store, and give it to the next verification with --head: only so a log that was cut can be told.';
  return [
    '',
    `${screen.paint('cyan', 'head')} ${headText(head)}`,
    ...wrapWords(`sealed at ${formatTime(head.atMs)}. ${advice}`, screen.columns),
  ];
}

function sealText(records: number, sealed: number): string {
  if (sealed === records) return 'All of them are sealed.';
  const open = records - sealed;
  const rest = open === 1 ? '1 is' : `${open.toLocaleString('en')} are`;
  return `${sealed.toLocaleString('en')} of them are sealed; ${rest} not yet: a running worker seals about once a second.`;
}

function problemLines(screen: Screen, { problems, problemsFound }: Verification): string[] {
  if (problems.length === 0) return [];
  const rest = problemsFound - problems.length;
  return [
    '',
    ...problems.flatMap(({ kind, where, expected, found }) => {
      const place = Object.entries(where)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name} ${value}`);
      return [
        `${screen.paint('red', kind)} ${printable(place.join(', '))}`,
        ...indented(screen, `expected ${printable(expected)}`),
        ...indented(screen, `found    ${printable(found)}`),
      ];
    }),
    ...(rest > 0 ? [`and ${rest.toLocaleString('en')} more`] : []),
  ];
}

function indented(screen: Screen, text: string): string[] {
  return wrapWords(text, screen.columns - 2, '  ').map((line) => `  ${line}`);
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
