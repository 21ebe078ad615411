import { Lexer } from 'yaml';
import { finding, type Place, type Problem } from '../problem/problem.ts';
import { MAX_ALIASES, MAX_DEPTH, MAX_MARKS, MAX_PROBLEMS, MAX_TOKENS } from './parse-yaml.ts';

const MARKS = '\n:,[]{}';

/** Tokens after which it is worth a look at how many more there will be. */
const COUNT_AFTER = 2_000;

/**
 * Looks at a text token by token, which is cheap, and refuses what would be expensive to parse: the parser's time grows
 * faster than its input for deep nesting, and it stops at no error. `undefined`: parse it.
 */
export function scanTokens(text: string): Problem | undefined {
  let tokens = 0;
  let aliases = 0;
  let depth = 0;
  /** `- - - -`: lists in each other on one line. */
  let indicators = 0;
  /** `"a" "b"`: texts with nothing between them, each of them an error. */
  let loose = 0;
  const at = { line: 1, column: 1 };
  for (const token of new Lexer().lex(text)) {
    tokens++;
    if (tokens > MAX_TOKENS || (tokens === COUNT_AFTER && hasTooManyMarks(text)))
      return refuse('too_large', at, `The file has more than ${MAX_TOKENS} tokens`);
    const first = token[0];
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (token === '-' || token === '?') indicators++;
    if (first === '\n' || first === '\r') indicators = 0;
    if (first === '"' || first === "'") loose++;
    else if (token.trim() !== '') loose = 0;
    if (loose > MAX_PROBLEMS)
      return refuse('syntax_error', at, 'A comma or a colon is missing between two texts');
    if (depth < 0) return refuse('syntax_error', at, `"${token}" closes nothing`);
    if (depth > MAX_DEPTH || indicators > MAX_DEPTH)
      return refuse('too_deep', at, `Maps and lists are nested more than ${MAX_DEPTH} levels deep`);
    if (first === '*' && ++aliases > MAX_ALIASES)
      return refuse('too_many_aliases', at, `There are more than ${MAX_ALIASES} aliases`);
    advance(at, token);
  }
  return undefined;
}

/** A quote is half a text; all other marks are followed by something. */
function hasTooManyMarks(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '"' || letter === "'") count += 0.5;
    else if (MARKS.includes(letter)) count++;
  }
  return count > MAX_MARKS;
}

function refuse(code: Problem['code'], at: Omit<Place, 'path'>, message: string): Problem {
  return finding(code, { path: '', ...at }, message);
}

/** The lexer marks documents and scalars with control characters of its own, which are not in the text. */
const INVISIBLE = new Set(['\x02', '\x18', '\x1f', '\u{FEFF}']);

function advance(at: { line: number; column: number }, token: string): void {
  if (INVISIBLE.has(token)) return;
  const end = token.lastIndexOf('\n');
  if (end === -1) {
    at.column += token.length;
    return;
  }
  for (const letter of token) if (letter === '\n') at.line++;
  at.column = token.length - end;
}
