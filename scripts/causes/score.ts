import { readFileSync } from 'node:fs';
import { maskSecrets } from '@redrive/core/stored';
import { fingerprintOf } from '@redrive/durable/dead-letters';

/** Characters of a message that a store keeps. */
const MAX_STORED = 500;

/** A failed job whose cause is known: `{ cause, handler, type, message }`, one JSON object per line. */
export interface Letter {
  readonly cause: string;
  readonly handler: string;
  readonly type: string;
  readonly message: string;
}

export interface Score {
  readonly letters: number;
  readonly causes: number;
  readonly groups: number;
  /** Of all pairs of letters in one group, the share that has one cause. */
  readonly precision: number;
  /** Of all pairs of letters with one cause, the share that is in one group. */
  readonly recall: number;
  readonly f1: number;
  /** Causes that are in several groups, the worst first, with patterns of their groups. */
  readonly splits: readonly Mistake[];
  /** Groups that hold several causes, the worst first, with the names of their causes. */
  readonly merges: readonly Mistake[];
}

export interface Mistake {
  readonly name: string;
  readonly letters: number;
  readonly parts: readonly string[];
}

/** @throws SyntaxError for a line that is not JSON, TypeError for one that is not a letter: both name the line. */
export function readLetters(path: string): readonly Letter[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, at) =>
    line.trim() === '' ? [] : [letterOf(line, `${path}:${at + 1}`)],
  );
}

function letterOf(line: string, place: string): Letter {
  const { cause, handler = '', type = 'Error', message } = JSON.parse(line);
  if ([cause, handler, type, message].every((value) => typeof value === 'string'))
    return { cause, handler, type, message };
  throw new TypeError(`${place} is not a letter: cause, handler, type and message must be texts`);
}

/** The group of a letter, from its error as a store keeps it: secrets masked, cut at 500 characters. */
export function groupOf({ handler, type, message }: Letter) {
  return fingerprintOf({ type, message: maskSecrets(message, MAX_STORED) }, handler);
}

export function scoreOf(letters: readonly Letter[]): Score {
  const named = letters.map((letter) => ({ cause: letter.cause, ...groupOf(letter) }));
  const causes = Map.groupBy(named, ({ cause }) => cause);
  const groups = Map.groupBy(named, ({ fingerprint }) => fingerprint);
  const cells = Map.groupBy(named, ({ cause, fingerprint }) => `${fingerprint} ${cause}`);
  const together = pairs(cells);
  const precision = ratio(together, pairs(groups));
  const recall = ratio(together, pairs(causes));
  const splits = [...causes].map(([name, of]) =>
    mistake(
      name,
      of.map(({ pattern }) => pattern),
      of.map(({ fingerprint }) => fingerprint),
    ),
  );
  const merges = [...groups].map(([, of]) =>
    mistake(
      of[0]?.pattern ?? '',
      of.map(({ cause }) => cause),
      of.map(({ cause }) => cause),
    ),
  );
  return {
    ...{ letters: letters.length, causes: causes.size, groups: groups.size, precision, recall },
    f1: ratio(2 * precision * recall, precision + recall),
    ...{ splits: worst(splits), merges: worst(merges) },
  };
}

function mistake(name: string, shown: readonly string[], parts: readonly string[]) {
  const first = new Map(parts.map((part, at) => [part, shown[at] ?? '']));
  return { name, letters: parts.length, parts: [...first.values()] };
}

function worst(mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes
    .filter(({ parts }) => parts.length > 1)
    .sort((a, b) => b.parts.length - a.parts.length || b.letters - a.letters);
}

function pairs(groups: ReadonlyMap<string, readonly unknown[]>): number {
  return [...groups.values()].reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
}

/** 1 where there is nothing to be wrong about. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
