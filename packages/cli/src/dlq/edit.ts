import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FullStore, Job } from '@redrive/durable';
import { parsePayload } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { fileError } from '../config/read-file.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { carryOut } from './act.ts';
import type { LetterWish } from './act-output.ts';
import { deadJob } from './letter-lines.ts';

/** `redrive dlq edit`: sends a letter back with another payload. */
export const runDlqEdit: RunCommand = (invocation) =>
  withStore(recorded(invocation), async (store) => {
    const { args, options } = invocation;
    const [id = ''] = args;
    const { job, generation } = await letterToEdit(invocation, store, id);
    const text = await editedPayload(invocation, job);
    if (text === undefined) {
      throw new CliError('refused', 'The payload was not changed, so the letter was not requeued.');
    }
    const wish: LetterWish = {
      act: 'requeue',
      // The act is refused if somebody else has changed the letter: its generation is then another.
      target: { ids: [{ id, generation }] },
      payload: { kind: 'json', text },
      actor: actorOf(options),
    };
    return carryOut(invocation, store, wish, { needsConsent: false });
  });

/** A dry run that opens no editor shows nobody the payload: no read is recorded, so it works while others write. */
function recorded(invocation: Invocation): Invocation {
  const { dryRun, payload, payloadFile } = invocation.options;
  const isHidden = payload !== undefined || payloadFile !== undefined;
  if (dryRun !== true || !isHidden) return invocation;
  const { reads: _reads, ...rest } = invocation;
  return rest;
}

interface LetterToEdit {
  readonly job: Job;
  readonly generation: number;
}

/** The letter; or, where the same operation is submitted again, the job that it has become. */
async function letterToEdit(
  { options }: Invocation,
  store: FullStore,
  id: string,
): Promise<LetterToEdit> {
  const found = await store.job(id);
  const operation = textOption(options, 'operation');
  const begun = operation === undefined ? undefined : await store.operation(operation);
  if (found !== undefined && begun !== undefined && begun.acted > 0) {
    return { job: found, generation: found.account.generation - 1 };
  }
  const job = deadJob(found, id);
  return { job, generation: job.account.generation };
}

/**
 * The new payload as JSON text: from the command line, a file, or an editor with the old one in it. `undefined`: it was
 * left as it is.
 *
 * @throws CliError `usage` where it is no JSON; what was written in an editor is kept then.
 */
async function editedPayload(
  invocation: Invocation,
  { id, payload }: Job,
): Promise<string | undefined> {
  const { io, options } = invocation;
  if (payload.kind !== 'json') {
    const hint = 'Enqueue another job instead.';
    throw new CliError('refused', `The payload of ${id} is binary, not JSON.`, hint);
  }
  const given = textOption(options, 'payload');
  if (given !== undefined) return checked(given, '--payload');
  const file = textOption(options, 'payloadFile');
  if (file !== undefined) return checked(readText(resolve(io.directory, file), file), file);
  return withEditor(invocation, payload.text);
}

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
