import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatDuration, formatTime } from '../terminal/times.ts';
import { aboutRecord, handedOverText } from './record-lines.ts';

type Replay = AnswerOf<typeof ACTIONS.audit.replay>;
type Step = Replay['steps'][number];
type Decision = NonNullable<Step['decision']>;
type Wait = NonNullable<Decision['wait']>;

const INDENT = '    ';
const NAME_WIDTH = 9;

/** How every decision of a session came about, step by step, for people. */
export const AUDIT_REPLAY = textOf<Replay>(({ io, answer }) =>
  printLines(io, replayLines(io.screen, answer)),
);

function replayLines(screen: Screen, { session, steps, omitted, same }: Replay): string[] {
  const decisions = steps.filter(({ decision }) => decision !== null).length;
  const onlyImported = decisions === 0 && steps.some(isImported);
  const climbed = steps.some(({ detail }) => handedOverText(detail) !== undefined);
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

const isImported = ({ event, detail }: Step) =>
  event === 'session' && String(detail.kind).startsWith('imported_');

function stepLines(screen: Screen, step: Step, number: number, rung: string): string[] {
  const { decision, event } = step;
  const time = formatTime(Date.parse(step.time));
  const head = `${number}. ${time} ${event}: ${aboutRecord(screen, step, rung)}`;
  return [
    ...wrapWords(head, screen.columns, INDENT),
    ...(decision === null ? [] : decisionLines(screen, decision)),
  ];
}

function decisionLines(screen: Screen, decision: Decision): string[] {
  const { policy_id, policy_hash, decide_version: version } = decision;
  const { input, recorded, derived, same, wait } = decision;
  const facts: readonly (readonly [string, string])[] = [
    ['policy', `${policy_id ?? 'unknown'}, version ${policy_hash.slice(0, 12)}`],
    ['input', flat(input).join(', ')],
    ...(wait === null || recorded.action === 'give-up' ? [] : [['wait', waitText(wait)] as const]),
    [`decide/${version}`, derived === null ? 'cannot be asked' : answerText(derived)],
    ['recorded', answerText(recorded)],
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

function answerText({ action, reason, delay_ms: delayMs, entry }: Decision['recorded']): string {
  const waits = delayMs !== null && (action === 'retry' || action === 'park');
  const within = action === 'park' ? 'for at most' : 'after';
  const wait = waits ? ` ${within} ${formatDuration(delayMs)}` : '';
  return `${action}${wait}: ${reason}, entered as ${entry}`;
}

function waitText({ nominalMs, minMs, maxMs, random, drawnMs, hintMs }: Wait): string {
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
  return value === undefined
    ? []
    : [`${path} ${value === Infinity || value === null ? 'unlimited' : String(value)}`];
}
