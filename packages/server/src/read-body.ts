import { parsePayload } from '@redrive/durable/store';
import { Problem } from './problem.ts';

/** Objects and lists inside each other. */
const MAX_DEPTH = 64;
/** A copy by assignment would set the prototype. `constructor` and `prototype` are keys like others. */
const FORBIDDEN_KEY = '__proto__';
/** Written out, or with any of its characters escaped: a body without either need not be looked through. */
const MAY_HAVE_FORBIDDEN_KEY = /__proto__|\\u00/;

/**
 * Reads the body of a request. Numbers that would lose digits, the key `__proto__`, and deep nesting
 * are refused.
 *
 * @throws Problem 400
 */
export function readBody(text: string): unknown {
  checkDepth(text);
  let value: unknown;
  try {
    value = parsePayload(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Problem(400, 'invalid_json', `The body is not valid JSON: ${message}`);
  }
  if (MAY_HAVE_FORBIDDEN_KEY.test(text)) checkKeys(value);
  return value;
}

const [QUOTE, BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END] = Buffer.from('"\\{}[]');

/** Before anything is parsed: a parser may be slow on deep nesting. */
function checkDepth(text: string): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw new Problem(400, 'too_deep', `The body is nested deeper than ${MAX_DEPTH} levels.`);
      }
    } else if (code === BRACE_END || code === BRACKET_END) depth -= 1;
  }
}

function checkKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (key === FORBIDDEN_KEY && !Array.isArray(value)) {
      throw new Problem(400, 'forbidden_key', `The body has the key ${key}, which is refused.`);
    }
    checkKeys(part);
  }
}
