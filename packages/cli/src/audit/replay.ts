import { type Replay, replaySession } from '@redrive/durable/audit';
import {
  importedKind,
  type RecordedAnswer,
  type ReplayedDecision,
  type ReplayedWait,
  type ReplayStep,
} from '@redrive/durable/store';
import { replayAnswer } from '@redrive/operate/texts';
import type { RunCommand } from '../command/command-spec.ts';
import { withReader } from '../store/with-audit.ts';
import { withStore } from '../store/with-store.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatDuration, formatTime } from '../terminal/times.ts';
import { aboutRecord, handedOverText } from './record-lines.ts';

export const runAuditReplay: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const replay = await withStore(invocation, async (store) => {
    // A job that goes on with a call's session has another id than that.
    const session = (await store.job(id))?.sessionId ?? id;
    return withReader(store, (reader) => replaySession(reader, session));
  });
  // A record `read` exists as soon as somebody looks at an id: it does not show that the session exists.
  if (replay.steps.every(({ record }) => record[2] === 'read')) {
    const hint =
      'Give it the id of a job or a session: "redrive audit list" shows those of the newest.';
    throw new CliError('no_match', `The audit log knows no session ${id}.`, hint);
  }
  if (options.json) printJson(io, replayAnswer(replay));
  else printLines(io, replayLines(io.screen, replay));
  return replay.same ? EXIT.ok : EXIT.failed;
};

const INDENT = '    ';
const NAME_WIDTH = 9;

/** How every decision of a session came about, step by step, for people. */
function replayLines(screen: Screen, replay: Replay): string[] {
  const { session, steps, omitted, same } = replay;
  const decisions = steps.filter(({ decision }) => decision !== undefined).length;
  const onlyImported = decisions === 0 && steps.some(({ record }) => importedKind(record));
  const climbed = steps.some(({ record }) => handedOverText(record[10]) !== undefined);
  const rung = climbed ? 'job' : '';
  const verdict = onlyImported
    ? 'none to derive again: the records were imported'
    : same
      ? screen.paint('green', `${decisions} derived again, all with the same answer`)
      : screen.paint('red', 'not every decision has the same answer again');
  return [
    `${screen.paint('bold', printable(session))}  ${steps.length} steps`,
    `decisions: ${verdict}`,
    ...steps.flatMap((step, index) => ['', ...stepLines(screen, step, index + 1, rung)]),
    ...(omitted > 0 ? ['', `and ${omitted} more steps`] : []),
  ];
}

function stepLines(
  screen: Screen,
  { record, decision }: ReplayStep,
  number: number,
  rung: string,
): string[] {
  const [, , event, , , atMs] = record;
  const head = `${number}. ${formatTime(atMs)} ${event}: ${aboutRecord(screen, record, rung)}`;
  return [
    ...wrapWords(head, screen.columns, INDENT),
    ...(decision === undefined ? [] : decisionLines(screen, decision)),
  ];
}

function decisionLines(screen: Screen, decision: ReplayedDecision): string[] {
  const { policyId, policy, version, input, answer, derived, same, wait } = decision;
  const facts: readonly (readonly [string, string])[] = [
    ['policy', `${policyId ?? 'unknown'}, version ${policy.slice(0, 12)}`],
    ['input', flat(input).join(', ')],
    ...(wait === undefined || answer.action === 'give-up'
      ? []
      : [['wait', waitText(wait)] as const]),
    [`decide/${version}`, derived === undefined ? 'cannot be asked' : answerText(derived)],
    ['recorded', answerText(answer)],
  ];
  const lines = facts.flatMap(([name, value]) => {
    const [first = '', ...more] = wrapWords(
      printable(value),
      screen.columns - INDENT.length - NAME_WIDTH - 1,
    );
    const blank = ' '.repeat(NAME_WIDTH + 1);
    return [
      `${INDENT}${screen.paint('cyan', name.padEnd(NAME_WIDTH))} ${first}`,
      ...more.map((line) => INDENT + blank + line),
    ];
  });
  const verdict = same ? screen.paint('green', 'the same') : screen.paint('red', 'NOT the same');
  return [...lines, `${INDENT}${' '.repeat(NAME_WIDTH)} ${verdict}`];
}

function answerText({ action, reason, delayMs, entry }: RecordedAnswer): string {
  const waits = delayMs !== undefined && (action === 'retry' || action === 'park');
  const within = action === 'park' ? 'for at most' : 'after';
  const wait = waits ? ` ${within} ${formatDuration(delayMs)}` : '';
  return `${action}${wait}: ${reason}, entered as ${entry}`;
}

function waitText({ nominalMs, minMs, maxMs, random, drawnMs, hintMs }: ReplayedWait): string {
  const hint = hintMs === undefined ? '' : `; the other side asked for ${formatDuration(hintMs)}`;
  return `back-off ${formatDuration(nominalMs)}; jitter draws from ${formatDuration(minMs)} to ${formatDuration(maxMs)}, at ${random.toFixed(4)}: ${formatDuration(drawnMs)}${hint}`;
}

/** Every member by its path: `account.charged 1`. */
function flat(value: unknown, path = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, part]) =>
      flat(part, path === '' ? name : `${path}.${name}`),
    );
  }
  return value === undefined ? [] : [`${path} ${value === Infinity ? 'unlimited' : String(value)}`];
}
