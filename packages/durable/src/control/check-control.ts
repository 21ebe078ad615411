import { type FieldProblem, refuse } from '@redrive/core/fields';
import { textBytes } from '../jobs/payload.ts';
import { textProblem } from '../jobs/text-problem.ts';
import { CONTROL_KINDS, type ControlCommand, MAX_CONTROL_BYTES } from './control-store.ts';

const MAX_KEY_LENGTH = 1_000;

/** Every store checks `control` commands with it. @throws RedriveError `invalid_option`. */
export function checkControl({ of, key, expect, document, note }: ControlCommand): void {
  const problems: FieldProblem[] = [];
  if (!CONTROL_KINDS.includes(of)) {
    problems.push({ field: 'of', message: `of must be a kind of control document, not ${of}` });
  }
  const misnamed = textProblem('key', key, MAX_KEY_LENGTH);
  if (misnamed !== undefined) problems.push(misnamed);
  if (!Number.isSafeInteger(expect) || expect < 0) {
    problems.push({ field: 'expect', message: 'expect must be a revision, or 0' });
  }
  for (const [field, text] of Object.entries({ document, note })) {
    if (text === undefined) continue;
    if (textBytes(text, MAX_CONTROL_BYTES) > MAX_CONTROL_BYTES) {
      problems.push({ field, message: `${field} has more than ${MAX_CONTROL_BYTES} bytes` });
    } else if (!isJsonObject(text)) {
      problems.push({ field, message: `${field} must be a JSON object` });
    }
  }
  refuse('invalid_option', 'control', problems);
}

/** A note goes into its audit block unchanged, and every process reads a document: both must be JSON objects. */
function isJsonObject(text: string): boolean {
  // Stores change half a surrogate pair.
  if (!text.isWellFormed()) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
