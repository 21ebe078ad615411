import { maskUrls } from '@redrive/config';
import { commandText } from '@redrive/core/fields';
import type { ClimbStep } from '@redrive/durable/store';
import { printable } from '../../terminal/printable.ts';
import type { Screen } from '../../terminal/screen.ts';
import { MISSING_FILE } from '../shop/shop-config.ts';
import { type Followed, jobsOf, type StoredNow } from './read-ladder.ts';
import { RUNGS, type Rung } from './rungs.ts';
import type { RungTally, Tally } from './tally.ts';

/** All that the ladder shows. */
export interface Ladder {
  readonly stored: StoredNow;
  readonly tally: Pick<Tally, 'of'>;
  readonly followed: Followed | undefined;
}

const NAMES: Readonly<Record<Rung, string>> = {
  call: '1 calls',
  event: '2 events',
  job: '3 jobs',
  document: '4 stuck orders',
  people: '5 people',
};
const NAME_COLUMNS = 16;
const NOW_COLUMNS = 25;

/** What is on a rung now: of this process for calls, which are in no store, and of the store for everything else. */
function nowText(rung: Rung, { stored, tally }: Ladder): string {
  if (rung === 'call') return `${tally.of(rung).running} under way`;
  if (rung === 'document') return `${stored.stuck} stuck, ${stored.failed} failed`;
  if (rung === 'people') {
    const { deadLetters, escalations } = stored;
    return `${deadLetters} dead, ${escalations} escalated`;
  }
  const { waiting, parked, running } = jobsOf(stored, rung);
  const wait = rung === 'event' ? `${waiting} wait` : `${waiting} wait, ${parked} parked`;
  return `${wait}, ${running} run`;
}

/** What this process did on a rung since its start. */
function sinceText(rung: Rung, { done, retried, handedOver, gaveUp }: RungTally): string {
  if (rung === 'call') return `${done} done, ${retried} retried, ${handedOver} handed over`;
  if (rung === 'document') return `${done} sent again`;
  if (rung === 'people') return `${done} notified`;
  return `${done} done, ${retried} retried, ${gaveUp} given up`;
}

/** Two lines per rung: its numbers, and the newest thing that happened on it. */
export function ladderLines(screen: Screen, ladder: Ladder): string[] {
  const { paint, columns } = screen;
  const head = `${'rung'.padEnd(NAME_COLUMNS)}${'now'.padEnd(NOW_COLUMNS)}since this start`;
  const lines = RUNGS.flatMap((rung) => {
    const tally = ladder.tally.of(rung);
    const name = paint('cyan', NAMES[rung].padEnd(NAME_COLUMNS));
    const now = nowText(rung, ladder).padEnd(NOW_COLUMNS);
    const since = cut(sinceText(rung, tally), columns - NAME_COLUMNS - NOW_COLUMNS);
    const last = tally.last === undefined ? '' : `  ${printable(tally.last.text)}`;
    return [`${name}${now}${since}`, paint('dim', cut(last, columns))];
  });
  return [paint('dim', head), ...lines];
}

/** One line per rung, for a log. */
export function summaryLines(ladder: Ladder): string[] {
  return RUNGS.map((rung) => {
    const since = sinceText(rung, ladder.tally.of(rung));
    return `${NAMES[rung].padEnd(NAME_COLUMNS)}${nowText(rung, ladder).padEnd(NOW_COLUMNS)}${since}`;
  });
}

const MOST_MARKS = 12;
const STEP_RUNGS: readonly (readonly [ClimbStep['rung'], string])[] = [
  ['call', 'calls'],
  ['event', 'events'],
  ['job', 'jobs'],
  ['document', 'sweeps'],
];

/** The order that is followed: its id, its state, its attempts per rung. */
export function followedLines(screen: Screen, followed: Followed | undefined): string[] {
  const { paint, columns } = screen;
  if (followed === undefined) return [paint('bold', 'Followed: the next order of glass'), ''];
  const { order, climb } = followed;
  const attempts = climb.steps.reduce((sum, step) => sum + step.attempts.length, 0);
  const made = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const parts = STEP_RUNGS.flatMap(([rung, name]) => {
    const steps = climb.steps.filter((step) => step.rung === rung);
    const marks = steps.flatMap((step) => step.attempts.map(({ success }) => success));
    return steps.length === 0 ? [] : [`${name} ${marksText(screen, marks)}`];
  });
  const isDead = climb.steps.some(({ state }) => state === 'dead');
  const people = isDead ? [`people ${paint('red', 'dead letter')}`] : [];
  const text = `Followed: ${printable(order.id)}, ${stateText(followed)}; ${made}`;
  return [paint('bold', cut(text, columns)), `  ${[...parts, ...people].join('   ')}`];
}

function stateText({ order: { status }, climb }: Followed): string {
  const swept = climb.steps.filter(({ rung, state }) => {
    return rung === 'document' && state === 'succeeded';
  }).length;
  if (status === 'shipped') return 'shipped';
  if (status === 'failed') return 'failed, so people decide';
  const times = swept === 1 ? 'once' : `${swept} times`;
  return swept === 0 ? status : `${status}, sent again ${times}`;
}

function marksText({ paint, unicode }: Screen, marks: readonly boolean[]): string {
  const shown = marks.slice(-MOST_MARKS);
  const [good, bad] = unicode ? ['✓', '✗'] : ['+', 'x'];
  const text = shown.map((mark) => (mark ? paint('green', good) : paint('red', bad))).join('');
  return marks.length > shown.length ? `${marks.length - shown.length} + ${text}` : text;
}

/** Text of one line: what does not fit is left out. */
function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
}

const INDENT = '  ';

/** Commands to try on the demo's store: as many as there is room for. */
export function nextStepLines(
  { paint, columns }: Screen,
  {
    url,
    deadId,
    followed,
  }: { url: string; deadId: string | undefined; followed?: Followed | undefined },
  room = 7,
): string[] {
  const job = followed?.climb.steps.findLast(({ rung }) => rung !== 'call')?.id;
  const id = deadId ?? 'ID';
  const steps: readonly (readonly [command: string, why: string])[] = [
    ['npx redrive dlq list', 'the dead letters'],
    ...(job === undefined
      ? []
      : [[commandText`npx redrive jobs show ${job}`, 'the followed order'] as const]),
    [commandText`npx redrive dlq show ${id}`, 'why it died, what to do'],
    [`touch ${MISSING_FILE}`, 'remove the cause'],
    [commandText`npx redrive dlq requeue ${id}`, 'run it again'],
    ['npx redrive audit verify', 'check the audit log'],
  ];
  const shown = steps.slice(0, Math.max(0, room - 2));
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    paint('bold', 'Try this in another terminal, in this directory:'),
    INDENT + paint('cyan', `export REDRIVE_STORE=${printable(maskUrls(url))}`),
    ...shown.map(([command, why]) => {
      const hasRoom = INDENT.length + width + 2 + why.length <= columns;
      const text = paint('cyan', hasRoom ? command.padEnd(width) : command);
      return `${INDENT}${text}${hasRoom ? `  ${paint('dim', why)}` : ''}`;
    }),
  ];
}
