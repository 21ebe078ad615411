import { counted } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { verifyLog } from '@redrive/operate/run';
import { inWords, itemsOf, placeOf } from '../action/run-action.ts';
import { serverOf } from '../action/server-of.ts';
import type { RunSugar, Sugar } from '../action/sugar.ts';
import type { Invocation } from '../command/command-spec.ts';
import { readOnlyLog } from '../store/with-audit.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { headInput, headText, savedHead } from './saved-head.ts';

type Item = AnswerOf<typeof ACTIONS.audit.verify>;
/** The verdict. */
type Verdict = {
  readonly [F in keyof Omit<Item, 'state' | 'pass' | 'share'>]-?: Exclude<Item[F], undefined>;
};

export const runAuditVerify: RunSugar = async (sugar, invocation) => {
  const { io, options } = invocation;
  const head = savedHead(invocation);
  const shown = progress(io, 'records');
  let found: Verdict | undefined;
  try {
    for await (const item of items(sugar, invocation)) {
      const { state, pass: _pass, share, ...rest } = item;
      if (state === 'done')
        found = rest as Verdict; // It has all of its fields then.
      else shown.update(rest.records, share ?? undefined);
    }
  } finally {
    shown.end();
  }
  if (found === undefined) throw new Error('The verification ended without a verdict');
  if (options.json) printJson(io, found);
  else printLines(io, linesOf(io.screen, found, head !== undefined));
  return found.ok ? EXIT.ok : EXIT.failed;
};

async function* items(sugar: Sugar, invocation: Invocation): AsyncGenerator<Item> {
  const log = serverOf(invocation) ? undefined : await readOnlyLog(invocation);
  if (log !== undefined) {
    const { signal } = new AbortController();
    try {
      yield* verifyLog(log, { head: savedHead(invocation), signal });
    } finally {
      await log.close();
    }
    return;
  }
  const input = headInput(invocation);
  const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation, input));
  try {
    yield* itemsOf<Item>(sugar, place);
  } finally {
    await place.close();
  }
}

function linesOf(screen: Screen, found: Verdict, against: boolean): string[] {
  const { ok, blocks, records, decisions, sealed, head, has_worker } = found;
  const verdict = ok
    ? screen.paint('green', 'The audit log is sound.')
    : screen.paint('red', `The audit log has ${counted(found.problems_found, 'problem')}.`);
  const text = (line: string) => wrapWords(line, screen.columns);
  return [
    verdict,
    ...text(
      `Read ${counted(records, 'record')} in ${counted(blocks, 'block')}, and derived ${counted(decisions, 'decision')} again.`,
    ),
    ...text(sealText(records, sealed, has_worker)),
    ...problemLines(screen, found),
    ...(head === null ? [] : headLines(screen, head, ok && against)),
  ];
}

function headLines(screen: Screen, head: NonNullable<Verdict['head']>, isSaved: boolean): string[] {
  const advice = isSaved
    ? 'The log contains the head that you saved.'
    : 'Save this head where nobody who can write to the store can change it, and give it to the next run with --head: only then does it find out that the end of the log was cut off.';
  return [
    '',
    `${screen.paint('cyan', 'head')} ${headText(head)}`,
    ...wrapWords(`sealed at ${timeOf(head)}. ${advice}`, screen.columns),
  ];
}

/** A stored number may not be a time. */
const timeOf = ({ time }: NonNullable<Verdict['head']>) =>
  time === null ? 'no date' : formatTime(Date.parse(time));

/** Workers seal. `hasWorker` is null if it is not known. */
function sealText(records: number, sealed: number, hasWorker: boolean | null): string {
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

function problemLines(screen: Screen, { problems, problems_found }: Verdict): string[] {
  if (problems.length === 0) return [];
  const rest = problems_found - problems.length;
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
