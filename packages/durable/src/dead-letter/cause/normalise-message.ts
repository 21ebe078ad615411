import { maskSecrets } from '@redrive/core/stored';
import { bodyAt } from './body-members.ts';
import { isCode, isNamedCode } from './codes.ts';
import { firstFrames } from './first-frames.ts';
import { HeldParts, MARK, withoutMarks } from './marks.ts';
import { KIND, TOKEN } from './message-tokens.ts';
import { maskNames, NAME_HINT } from './names.ts';
import { maskAddress, maskPath, maskUrl } from './places.ts';
import { quotedAs } from './quoted-text.ts';
import { maskWord } from './words.ts';

const MAX_INPUT = 1_000;
const MAX_DEPTH = 3;

const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const HAS_CJK = /* @__PURE__ */ new RegExp(CJK, 'u');
/** Words of these scripts have no spaces between them, so a number may follow a letter. */
const CJK_EDGE = /* @__PURE__ */ new RegExp(`(?<=${CJK})(?=\\p{Nd})|(?<=\\p{Nd})(?=${CJK})`, 'gu');
const CJK_DATE = /\d{4}[年년]\s?\d{1,2}[月월]\s?\d{1,2}[日일]/gu;
/** Separates them, and is removed at the end. */
const EDGE = '\uE0FF';

/** A value masked by its shape may be an ordinary id. A value masked by its name (`password=`) is a secret. */
const UNNAMED = /(?<![=:]\s?)\[masked\]/g;
/** Values of keys and rows, as Postgres adds them: `Key (email)=(a@b.c)`, `Failing row contains (1, null)`. */
const IN_BRACKETS = /(?<=\)=|contains |values? )\((?:[^()]|\([^()]{0,100}\)){0,500}(?:\)|…?$)/giu;

/**
 * A message with everything replaced that differs from case to case. Names of the schema and of the program, hosts and
 * ports of servers, and codes stay.
 */
export function normaliseMessage(message: string): string {
  const safe = maskSecrets(withoutMarks(message.slice(0, 4 * MAX_INPUT)), MAX_INPUT);
  return normalise(safe.replace(UNNAMED, MARK.id).normalize('NFC'), 0);
}

function normalise(message: string, depth: number): string {
  const held = new HeldParts();
  let text = message.includes('\n') ? firstFrames(message, held) : message;
  // Half a word at the end of a text that was cut off.
  if (text.endsWith('…')) text = text.replace(/[^\s"'{}[\],:]{0,200}…$/u, '…');
  text = holdBodies(text, held, depth).replace(IN_BRACKETS, `(${MARK.text})`);
  if (HAS_CJK.test(text)) text = text.replace(CJK_DATE, MARK.time).replace(CJK_EDGE, EDGE);
  if (NAME_HINT.test(text)) text = maskNames(text);
  text = maskTokens(text, held, depth);
  return held
    .release(text)
    .replaceAll(EDGE, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/(?<=\}) ?…$/, '')
    .trim();
}

/** Replaces JSON by what it says about a cause. */
function holdBodies(text: string, held: HeldParts, depth: number): string {
  if (depth >= MAX_DEPTH) return text;
  let result = '';
  let from = 0;
  for (const { index } of text.matchAll(
    /[{[](?=\s{0,5}(?:[{[]\s{0,5})?\\{0,3}["'}\]])|\{(?=\s{0,3}[\w$]{1,40}:\s)/g,
  )) {
    if (index < from) continue;
    const body = bodyAt(text, index, (value) => normalise(value, depth + 1));
    if (body === undefined) continue;
    result += text.slice(from, index) + held.hold(`{${body.kept.join(', ')}}`);
    from = body.end;
  }
  return result + text.slice(from);
}

function maskTokens(text: string, held: HeldParts, depth: number): string {
  // Where the quoted text ended that was kept last.
  let keptUntil = -1;
  return text.replace(TOKEN, (token: string, ...found) => {
    const is = (kind: keyof typeof KIND) => found[KIND[kind]] !== undefined;
    if (is('plain')) return token;
    const offset = Number(found.at(-2));
    const end = offset + token.length;
    const before = () => text.slice(Math.max(0, offset - 40), offset);
    const after = () => text.slice(end, end + 40);
    if (is('quoted')) {
      const open = token.startsWith('\\') ? 2 : 1;
      const content = token.slice(open, token.endsWith('…') ? undefined : -open);
      const isListed =
        keptUntil >= 0 && /^[\s,]{1,3}(?:and |or )?$/.test(text.slice(keptUntil, offset));
      const as = quotedAs(content, before(), after(), isListed);
      if (as === 'masked' || (as === 'message' && depth >= MAX_DEPTH)) return MARK.text;
      keptUntil = as === 'kept' ? end : -1;
      return held.hold(as === 'kept' ? `"${content}"` : `"${normalise(content, depth + 1)}"`);
    }
    if (is('time')) return MARK.time;
    if (is('url')) return maskUrl(token);
    if (is('email') || is('currency')) return MARK.id;
    if (is('uuid')) return MARK.id;
    // Words of hex letters with colons between them are not an address.
    if (is('address')) return /\d|^::/.test(token) ? maskAddress(token) : token;
    if (is('number')) return isCode(token, before(), after()) ? token : MARK.number;
    if (is('host')) return maskAddress(token);
    if (is('path')) return maskPath(token);
    if (is('run') && /[+/=]/.test(token))
      return maskWord(token.replace(/[+/=]/g, 'a')) === MARK.id ? MARK.id : maskPath(token);
    return isNamedCode(token, before(), after()) ? token : maskWord(token);
  });
}
