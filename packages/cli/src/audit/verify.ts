import { liveWorkers } from '@redrive/durable';
import { type Verification, verifyAudit } from '@redrive/durable/audit';
import { type Anchor, counted, verificationDocument } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withAudit } from '../store/with-audit.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { headText, savedHead } from './saved-head.ts';

export const runAuditVerify: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const head = savedHead(io, options);
  const [found, hasWorker] = await withAudit(invocation, async (reader, newest, store) => {
    const shown = progress(io, 'records');
    try {
      const verified = await verifyAudit(reader, {
        head,
        // More passes than the first may follow, and nobody knows how many.
        onProgress: ({ pass, records, seq }) =>
          shown.update(records, newest && pass === 1 ? seq / newest : undefined),
      });
      // A file that is only read does not say. It is a hint only: the verdict does not depend on it.
      const live = store && (await liveWorkers(store).catch(() => undefined));
      return [verified, live && live.workers.length > 0] as const;
    } finally {
      shown.end();
    }
  });
  if (options.json) printJson(io, verificationDocument(found));
  else printLines(io, linesOf(io.screen, found, head !== undefined, hasWorker));
  return found.ok ? EXIT.ok : EXIT.failed;
};

function linesOf(
  screen: Screen,
  found: Verification,
  against: boolean,
  hasWorker: boolean | undefined,
): string[] {
  const { ok, blocks, records, decisions, sealed, head } = found;
  const verdict = ok
    ? screen.paint('green', 'The audit log is sound.')
    : screen.paint('red', `The audit log has ${counted(found.problemsFound, 'problem')}.`);
  const text = (line: string) => wrapWords(line, screen.columns);
  return [
    verdict,
    ...text(
      `Read ${counted(records, 'record')} in ${counted(blocks, 'block')}, and derived ${counted(decisions, 'decision')} again.`,
    ),
    ...text(sealText(records, sealed, hasWorker)),
    ...problemLines(screen, found),
    ...(head === undefined ? [] : headLines(screen, head, ok && against)),
  ];
}

function headLines(screen: Screen, head: Anchor, isSaved: boolean): string[] {
  const advice = isSaved
    ? 'The log contains the head that you saved.'
    : 'Save this head where nobody who can write to the store can change it, and give it to the next run with --head: only then does it find out that the end of the log was cut off.';
  return [
    '',
    `${screen.paint('cyan', 'head')} ${headText(head)}`,
    ...wrapWords(`sealed at ${formatTime(head.atMs)}. ${advice}`, screen.columns),
  ];
}

/** Workers seal. `hasWorker` is absent where nobody knows. */
function sealText(records: number, sealed: number, hasWorker: boolean | undefined): string {
  if (sealed === records) return 'All records are sealed.';
  const open = records - sealed;
  const one = open === 1;
  const start = `${counted(sealed, 'record')} ${sealed === 1 ? 'is' : 'are'} sealed; ${open.toLocaleString('en')} ${one ? 'is' : 'are'} not sealed`;
  if (hasWorker === false)
    return `${start}: no worker is running, and only workers seal. To seal ${one ? 'it' : 'them'}, start one: redrive start`;
  return hasWorker
    ? `${start} yet: a running worker seals about once a second.`
    : `${start}: only workers seal, and this command does not see whether one runs.`;
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
