import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parsePayload } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { placeOf } from '../action/run-action.ts';
import type { Sugar } from '../action/sugar.ts';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { fileError } from '../config/read-file.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { runBulk } from './act.ts';

/** `redrive dlq edit`: sends a letter back with another payload. */
export function editCommand(sugar: Sugar): RunCommand {
  return async (looking) => {
    const [id = ''] = looking.args;
    const edited = givenPayload(looking) ?? (await editedPayload(sugar, looking, id));
    const input = { id, ...edited, dry_run: looking.options.dryRun === true };
    // The act itself shows no payload.
    const { reads: _, ...acting } = looking;
    return runBulk(sugar, acting, input, 'operation');
  };
}

interface Edited {
  /** JSON. */
  readonly payload_text: string;
  /** The act is refused if the letter is no longer in this generation. */
  readonly generation?: number;
}

/** The payload of an option. @throws CliError `usage` if it is no JSON. */
function givenPayload({ io, options }: Invocation): Edited | undefined {
  const given = textOption(options, 'payload');
  if (given !== undefined) return { payload_text: checked(given, '--payload') };
  const file = textOption(options, 'payloadFile');
  if (file === undefined) return undefined;
  return { payload_text: checked(readText(resolve(io.directory, file), file), file) };
}

/** The payload from an editor with the old one in it. The look is recorded. */
async function editedPayload(sugar: Sugar, invocation: Invocation, id: string): Promise<Edited> {
  const place = await placeOf('deadLetters.payload', sugar, invocation, { id, payload: 'full' });
  const { answer } = await place.run().finally(place.close);
  const { text, kind, generation } = Object(answer) as Payload; // Of this action.
  if (kind !== 'json') {
    const hint = 'Enqueue another job instead.';
    throw new CliError('refused', `The payload of ${id} is binary, not JSON.`, hint);
  }
  const payload_text = await withEditor(invocation, text);
  if (payload_text !== undefined) return { payload_text, generation };
  throw new CliError('refused', 'The payload was not changed, so the letter was not requeued.');
}

type Payload = AnswerOf<typeof ACTIONS.deadLetters.payload>;

async function withEditor({ io }: Invocation, text: string): Promise<string | undefined> {
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (!editor) {
    const hint = 'Use --payload or --payload-file, or set EDITOR to your editor.';
    throw new CliError('usage', 'No editor is set.', hint);
  }
  // Only its owner can look into it.
  const directory = mkdtempSync(join(tmpdir(), 'redrive-edit-'));
  const file = join(directory, 'payload.json');
  writeFileSync(file, text === '' ? '' : `${JSON.stringify(JSON.parse(text), null, 2)}\n`, {
    mode: 0o600,
  });
  const before = readText(file, file);
  const code = await io.edit(editor, file);
  const after = readText(file, file);
  const isSame = after === before || after.trim() === '';
  if (code !== 0 || isSame) {
    rmSync(directory, { recursive: true });
    if (code === 0) return undefined;
    throw new CliError('failed', `${editor} exited with ${code}, so nothing was changed.`);
  }
  const payload = checked(
    after,
    'The text from the editor',
    `It is saved in ${file}: correct it, and use --payload-file with that file.`,
  );
  rmSync(directory, { recursive: true });
  return payload;
}

function checked(text: string, what: string, hint?: string): string {
  try {
    return JSON.stringify(parsePayload(text));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError('usage', `${what} is not valid JSON: ${message}`, hint);
  }
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fileError(error, 'read', name, 'Check the path.');
  }
}
