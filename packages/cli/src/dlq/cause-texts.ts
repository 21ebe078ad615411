import { commandText } from '@redrive/core/fields';
import { errorWords } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, type Shown, textOf } from '../action/renderer.ts';
import { printText } from '../terminal/io.ts';
import { ageCell, columns } from '../terminal/table.ts';

type Change = AnswerOf<typeof ACTIONS.causes.merge>;
type Renamed = AnswerOf<typeof ACTIONS.causes.rename>;
type Rules = AnswerOf<typeof ACTIONS.causes.list>;
type Rule = Rules['rules'][number];
type Count = Change['letters'];

/** Causes that a line names. */
const MAX_NAMED = 10;

export const CAUSE_MERGE = textOf<Change>(({ io, answer }) => {
  const { letters, from, to, dry_run } = answer;
  const [target] = to;
  const all = sumOf(letters, target?.has);
  const causes = from.length + (target !== undefined && target.has.count > 0 ? 1 : 0);
  const title = target?.pattern ?? answer.rule.title ?? answer.rule.name;
  const what = `${several(causes, 'cause')}, ${lettersText(all)}`;
  printText(io, `${dry_run ? 'This would join' : 'Joined'} ${what}: ${errorWords(title)}`);
  printMoves(io, answer);
});

export const CAUSE_SPLIT = textOf<Change>(({ io, answer }) => {
  const { letters, to, dry_run } = answer;
  const parts = several(to.length, 'cause');
  const verb = dry_run ? 'This would split off' : 'Split off';
  printText(io, `${verb} ${lettersText(letters)}, as ${parts}:`);
  for (const { pattern, letters: count } of to.slice(0, MAX_NAMED))
    printText(io, `  ${number(count)}  ${errorWords(pattern)}`);
  if (to.length > MAX_NAMED) printText(io, `  and ${to.length - MAX_NAMED} more`);
  printMoves(io, answer);
});

export const CAUSE_RENAME = textOf<Renamed>(({ io, answer }) => {
  const { rule, was, dry_run } = answer;
  printText(
    io,
    `${dry_run ? 'This would rename' : 'Renamed'} ${errorWords(was)} to ${rule.title ?? ''}`,
  );
  if (!dry_run) printUndo(io, rule.name);
});

export const CAUSE_REMOVE = textOf<Change>(({ io, answer }) => {
  const { rule, letters, to, dry_run } = answer;
  const back = `${lettersText(letters)} ${letters.count === 1 ? 'goes' : 'go'} back to ${several(to.length, 'cause')}`;
  const moves = letters.count === 0 ? 'no letter has to move' : back;
  printText(io, `${dry_run ? 'This would remove' : 'Removed'} the rule ${rule.name}: ${moves}.`);
  printMoves(io, answer, false);
});

/** When the letters move, and how the change is undone. */
function printMoves(io: Shown<Change>['io'], answer: Change, isUndoable = true): void {
  const { operation, has_worker, dry_run, letters, rule } = answer;
  if (operation !== null && letters.count > 0) {
    const when = has_worker ? 'They move in the background' : 'They move when a worker runs';
    printText(io, `${when}: ${commandText`redrive ops show ${operation}`}`);
  }
  if (!dry_run && isUndoable) printUndo(io, rule.name);
}

function printUndo(io: Shown<Change>['io'], name: string): void {
  printText(io, `Undo it with: ${commandText`redrive dlq remove-rule ${name}`}`);
}

function sumOf(one: Count, other: Count = { count: 0, bounded: false }): Count {
  return { count: one.count + other.count, bounded: one.bounded || other.bounded };
}

function lettersText({ count, bounded }: Count): string {
  return bounded ? `more than ${number(count)} letters` : several(count, 'letter');
}

function several(count: number, word: string): string {
  return `${number(count)} ${word}${count === 1 ? '' : 's'}`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}

const RULE_COLUMNS = columns('name:cyan | rule:shrinks | from | set | by | why:optional,shrinks');

export const CAUSE_RULES = listOf<Rules, Rule>(({ nowMs, answer }) => ({
  name: 'rules',
  columns: RULE_COLUMNS,
  none: 'There are no rules of causes. Set one with "redrive dlq merge", "split" or "rename", or in redrive.yaml under causes.',
  row: (rule) => [
    rule.name,
    ruleText(rule),
    rule.from_file ? 'file' : 'people',
    ageCell(Date.parse(rule.set_at), nowMs),
    rule.by,
    rule.why ?? '',
  ],
  ...(answer.moving !== null && {
    below: [`Letters are being moved: ${commandText`redrive ops show ${answer.moving}`}`],
  }),
}));

export const CAUSE_EXPORT = textOf<Rules>(({ io, answer }) => io.stdout(answer.yaml));

const CONDITIONS = ['fingerprints', 'handlers', 'types', 'codes', 'messages'] as const;

/** `joins 3 causes as Card refused`, `splits by code: 1 cause`. */
function ruleText(rule: Rule): string {
  const { title, name, into, split_by, split_pattern, fingerprints } = rule;
  const given = CONDITIONS.filter((key) => rule[key].length > 0);
  const what = given
    .map((key) =>
      key === 'fingerprints'
        ? several(fingerprints.length, 'cause')
        : `${key} ${rule[key].slice(0, MAX_NAMED).join(', ')}`,
    )
    .join('; ');
  if (split_by !== null) return `splits by ${split_by}: ${what}`;
  if (split_pattern !== null) return `splits by ${split_pattern}: ${what}`;
  if (into !== null && fingerprints.length === 1 && fingerprints[0] === into)
    return `names ${into}: ${title ?? name}`;
  return `joins ${what} as ${title ?? name}`;
}
