import { basename } from 'node:path';
import type { FoundAnswer } from '@redrive/operate';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { type Cell, columns, timeCell } from '../terminal/table.ts';
import { formatDuration, formatTime } from '../terminal/times.ts';

const INDENT = '    ';
/** Characters of a free text that a terminal gets. */
const MAX_TEXT = 200;

const COLOURS: Readonly<Record<string, Colour>> = {
  dead: 'red',
  succeeded: 'green',
  scheduled: 'yellow',
  parked: 'magenta',
};

/** A record as its answer has it. */
export type ShownRecord = Pick<
  FoundAnswer,
  'time' | 'event' | 'id' | 'from' | 'to' | 'by' | 'why' | 'detail'
>;
type Detail = ShownRecord['detail'];

/** Of `--plain`: people get paragraphs. */
export const RECORD_COLUMNS = columns('time | event | id | what:shrinks');

export function recordRow(screen: Screen, record: ShownRecord): Cell[] {
  const atMs = Date.parse(record.time);
  return [timeCell(formatTime(atMs), atMs), record.event, record.id, aboutRecord(screen, record)];
}

/** A record for people: when, what, to whom, by whom and why. */
export function recordLines(screen: Screen, record: ShownRecord): string[] {
  const { id, event, to } = record;
  const atMs = Date.parse(record.time);
  const head = `${formatTime(atMs)} ${event.padEnd(8)} ${printable(id)} `;
  const [first = '', ...more] = wrapWords(
    head + aboutRecord(screen, record),
    screen.columns,
    INDENT,
  );
  const time = formatTime(atMs);
  const rest = first.slice(time.length);
  const colour = COLOURS[to ?? ''];
  const painted = colour === undefined ? rest : rest.replace(event, screen.paint(colour, event));
  return [screen.paint('dim', time) + painted, ...more];
}

/**
 * The same without time and id.
 *
 * @param rung of a job's attempts, where the session has attempts on another rung, too: each rung counts from 1.
 */
export function aboutRecord(
  screen: Screen,
  { event, from, to, by, why, detail }: ShownRecord,
  rung = '',
): string {
  const arrow = screen.unicode ? '→' : '->';
  const parts = [
    to === null ? '' : from === null || from === to ? to : `${from} ${arrow} ${to}`,
    attemptText(screen, event, detail, rung),
    by === null ? '' : `by ${by}`,
    why ? `"${clip(screen, why)}"` : '',
    noteText(screen, event, detail),
  ];
  // A record is one paragraph, whatever an error's message is.
  return printable(
    parts
      .filter((part) => part !== '')
      .join(', ')
      .replaceAll(/\s+/g, ' '),
  );
}

function attemptText(screen: Screen, event: string, detail: Detail, rung: string): string {
  if (event !== 'settle' && event !== 'lease_lost') return '';
  const { attempt, reason, delayMs, error, action } = detail;
  if (action === 'succeed') return '';
  // A decision to give up has the delay of the retry that was not made.
  const waits = action !== 'give-up' && typeof delayMs === 'number' && delayMs > 0;
  // A parked job waits for its cause: its delay is only a limit.
  const most = action === 'park' ? ' at most' : '';
  const wait = waits ? `, waits${most} ${formatDuration(delayMs)}` : '';
  const message = textOf((error as { message?: unknown } | undefined)?.message);
  const why = message === '' ? '' : `: ${clip(screen, message)}`;
  const which = typeof attempt === 'number' ? `${rung && `${rung} `}attempt ${attempt} ` : '';
  return `${which}${textOf(reason)}${wait}${why}`;
}

function noteText(screen: Screen, event: string, detail: Detail): string {
  if (event === 'read') return `looked at ${textOf(detail.reads)} with "${textOf(detail.command)}"`;
  if (event === 'session') return importedText(detail) ?? textOf(detail.kind);
  if (event === 'enqueue') return handedOverText(detail) ?? '';
  if (event === 'config') return configText(detail);
  if (event === 'control') return clip(screen, controlText(detail));
  if (event === 'act') return clip(screen, JSON.stringify(withoutActor(detail)));
  const operation = textOf(detail.operation);
  return operation && `operation ${operation}`;
}

/** `file, redrive.yaml of ada, written 2026-01-29T12:00:00.000Z` */
function configText({ cause, last_change: last }: Detail): string {
  const { file, owner, at } = Object(last) as Readonly<Record<string, unknown>>; // They are only printed.
  if (textOf(file) === '') return textOf(cause);
  const of = textOf(owner) === '' ? '' : ` of ${textOf(owner)}`;
  return `${textOf(cause)}, ${basename(textOf(file))}${of}, written ${textOf(at)}`;
}

/** `handed over from a call after 4 attempts`. `undefined`: the job was enqueued as such. */
export function handedOverText({ handedOver }: Detail): string | undefined {
  if (typeof handedOver !== 'object' || handedOver === null) return undefined;
  const { rung, attempts } = handedOver as Readonly<Record<string, unknown>>; // Both are only printed.
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return `handed over from a ${textOf(rung) || 'job'} after ${count}`;
}

/** `imported session: save_state, 2 attempts, succeeded, 2026-01-29T12:00:00.000Z`. `undefined`: it was not imported. */
function importedText({ kind, record }: Detail): string | undefined {
  const isOne = kind === 'imported_session' || kind === 'imported_event';
  if (!isOne && kind !== 'imported_metrics') return undefined;
  const given = record as Readonly<Record<string, unknown>>; // The import made it.
  if (kind === 'imported_metrics') {
    const window = `${textOf(given?.time_window_start)} to ${textOf(given?.time_window_end)}`;
    return `imported metrics: ${given?.total_sessions} sessions, ${window}`;
  }
  const operation = textOf(given?.operation);
  if (kind === 'imported_event') {
    const attempt = typeof given?.attempt === 'number' ? [`attempt ${given.attempt}`] : [];
    const parts = [textOf(given?.event_type), operation, ...attempt, textOf(given?.timestamp)];
    return `imported event: ${parts.join(', ')}`;
  }
  const attempts = given?.total_attempts === 1 ? '1 attempt' : `${given?.total_attempts} attempts`;
  const end = given?.success === true ? 'succeeded' : 'failed';
  return `imported session: ${[operation, attempts, end, textOf(given?.start_time)].join(', ')}`;
}

/** `engage {"mode":"finish"}` */
function controlText({ act, ...detail }: Detail): string {
  const rest = JSON.stringify(withoutActor(detail));
  return `${textOf(act)} ${rest === '{}' ? '' : rest}`.trim();
}

function withoutActor({ by: _by, why: _why, ...rest }: Detail): object {
  return rest;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** On a terminal a free text ends after a few lines; in a pipe it is whole. */
function clip(screen: Screen, text: string): string {
  if (!screen.isTerminal || text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}${screen.unicode ? '…' : '...'}`;
}
