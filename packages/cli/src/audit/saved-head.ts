import type { AuditHead } from '@redrive/durable/audit';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { readTextFile } from '../config/read-file.ts';
import { CliError } from '../terminal/exit-codes.ts';

/** Of a head, or of all that `audit verify --json` prints. */
const MAX_BYTES = 1024 * 1024;
const MISSING = 'Check the path. "redrive audit verify" prints the head to save there.';

/** The saved head: `--head 17:4f…`, or a file with that, or with what `audit verify --json` printed. */
export function savedHead({ io, options }: Invocation): AuditHead | undefined {
  const given = textOption(options, 'head');
  if (given !== undefined) return headOf(given) ?? noHead(`--head is not a head: ${given}`);
  const file = textOption(options, 'headFile');
  if (file === undefined) return undefined;
  const text = readTextFile(io, file, MAX_BYTES, MISSING).trim();
  return headOf(text) ?? headInJson(text) ?? noHead(`There is no head in ${file}.`);
}

/** The field `head` of an input. */
export function headInput(invocation: Invocation): { readonly head?: string } {
  const head = savedHead(invocation);
  return head === undefined ? {} : { head: headText(head) };
}

/** As people copy it. */
export function headText({ seq, hash }: AuditHead): string {
  return `${seq}:${hash}`;
}

function headOf(text: string): AuditHead | undefined {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash };
}

function headInJson(text: string): AuditHead | undefined {
  try {
    const { head } = JSON.parse(text);
    return headOf(`${head.seq}:${head.hash}`);
  } catch {
    return undefined;
  }
}

function noHead(message: string): never {
  const hint =
    'A head is a number, a colon and 64 hex digits, as "redrive audit verify" prints it.';
  throw new CliError('usage', message, hint);
}
