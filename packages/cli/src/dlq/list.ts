import { countText } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf } from '../action/renderer.ts';
import { type Cell, columns, timeCell } from '../terminal/table.ts';
import { shortDuration } from '../terminal/times.ts';

type Letters = AnswerOf<typeof ACTIONS.deadLetters.list>;
type Letter = Letters['letters'][number];

const COLUMNS = columns(
  'id:cyan | handler | died:right,dim | tries:right | back:yellow,optional | why:shrinks',
);

export const LETTER_LIST = listOf<Letters, Letter>(({ answer, nowMs }) => {
  const { letters, total, next } = answer;
  const count = countText(total.count, total.bounded);
  const noun = count === '1' ? 'dead letter' : 'dead letters';
  return {
    name: 'letters',
    columns: COLUMNS,
    row: (letter) => rowOf(letter, nowMs),
    none: next === null ? 'No dead letter matches.' : 'None on this page.',
    below: letters.length === 0 ? [] : ['', `${letters.length} of ${count} ${noun}`],
  };
});

function rowOf(letter: Letter, nowMs: number): Cell[] {
  const again = letter.came_back ? letter.generation - 1 : 0;
  return [
    letter.id,
    letter.handler,
    diedCell(letter, nowMs),
    String(letter.attempts_made),
    { shown: again === 0 ? '' : `${again}x`, exact: String(again) },
    whyText(letter),
  ];
}

function diedCell({ finished_at }: Letter, nowMs: number): Cell {
  if (finished_at === null) return '';
  const atMs = Date.parse(finished_at);
  const ageMs = Math.max(0, nowMs - atMs);
  const age = ageMs < 1_000 ? 'now' : shortDuration(ageMs < 60_000 ? roundSeconds(ageMs) : ageMs);
  return timeCell(age, atMs);
}

function roundSeconds(durationMs: number): number {
  return Math.round(durationMs / 1_000) * 1_000;
}

function whyText({ reason, last_error }: Letter): string {
  const parts = [reason, last_error?.message].filter((part) => part != null);
  // A row is one line, whatever an error's message is.
  return parts.join(': ').replaceAll(/\s+/g, ' ');
}
