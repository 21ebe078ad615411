import { MARK } from './cause/marks.ts';
import { normaliseMessage } from './cause/normalise-message.ts';

/** A part of a message, and whether the causes of dead letters ignore it. */
export interface MessagePart {
  readonly text: string;
  readonly varies: boolean;
}

/** Stored messages are not longer. */
const MAX_MESSAGE = 500;
const TOKEN = /[\p{L}\p{M}\p{N}]+|\s+|./gsu;
const WORD = /[\p{L}\p{N}]/u;
const MARKS: ReadonlySet<string> = new Set(Object.values(MARK));
/** Costs of a word that is not in the normalised form. Few are dropped without a mark, such as members of a JSON body. */
const SKIPPED = 4;
const BEHIND_MARK = 1;
/** The cost of a word that only the normalised form has: this is rare. */
const MISSED = 20;

/**
 * The parts of a message, in their order: those that tell its cause, and those that differ from case to case. Together they
 * are the message, of which 500 characters are looked at.
 *
 * ```ts
 * messageParts('customer 456 not found');
 * // [{ text: 'customer ', varies: false }, { text: '456', varies: true }, { text: ' not found', varies: false }]
 * ```
 */
export function messageParts(message: string): readonly MessagePart[] {
  const shown = message.slice(0, MAX_MESSAGE).toWellFormed();
  const tokens = shown.match(TOKEN) ?? [];
  const places = [...tokens.keys()].filter((at) => WORD.test(tokens[at] ?? ''));
  const normal = normaliseMessage(shown).match(TOKEN) ?? [];
  const kept = keptWords(
    places.map((at) => tokens[at] ?? ''),
    normal.filter((token) => MARKS.has(token) || WORD.test(token)),
  );
  const words: (boolean | undefined)[] = [];
  for (const [nth, at] of places.entries()) words[at] = kept[nth];
  const parts: { text: string; varies: boolean }[] = [];
  let before: boolean | undefined;
  for (const [at, text] of tokens.entries()) {
    // Spaces and punctuation vary if the words on both sides do.
    const varies =
      words[at] === undefined ? before === false && nextOf(words, at) === false : !words[at];
    before = words[at] ?? before;
    const last = parts.at(-1);
    if (last?.varies === varies) last.text += text;
    else parts.push({ text, varies });
  }
  return parts;
}

function nextOf(words: readonly (boolean | undefined)[], at: number): boolean | undefined {
  for (let next = at + 1; next < words.length; next += 1)
    if (words[next] !== undefined) return words[next];
  return undefined;
}

/** Aligns the words of a message with those of its normalised form at the lowest cost. `true`: the word is in both. */
function keptWords(words: readonly string[], normal: readonly string[]): readonly boolean[] {
  const width = normal.length + 1;
  const costs = new Uint16Array((words.length + 1) * width);
  const cost = (i: number, j: number) => costs[i * width + j] ?? 0;
  const costOfMissing = (j: number) => (MARKS.has(normal[j] ?? '') ? 0 : MISSED);
  for (let i = words.length; i >= 0; i -= 1)
    for (let j = normal.length; j >= 0; j -= 1) {
      if (i === words.length && j === normal.length) continue;
      const isBehind = MARKS.has(normal[j] ?? '');
      let best = Infinity;
      if (j < normal.length) best = cost(i, j + 1) + costOfMissing(j);
      if (i < words.length)
        best = Math.min(best, cost(i + 1, j) + (isBehind ? BEHIND_MARK : SKIPPED));
      if (i < words.length && words[i] === normal[j]) best = Math.min(best, cost(i + 1, j + 1));
      costs[i * width + j] = best;
    }
  const kept: boolean[] = [];
  let j = 0;
  for (let i = 0; i < words.length; ) {
    if (words[i] === normal[j] && cost(i, j) === cost(i + 1, j + 1)) {
      kept[i] = true;
      i += 1;
      j += 1;
    } else if (j < normal.length && cost(i, j) === cost(i, j + 1) + costOfMissing(j)) {
      j += 1;
    } else {
      kept[i] = false;
      i += 1;
    }
  }
  return kept;
}
