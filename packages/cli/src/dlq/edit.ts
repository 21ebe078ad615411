import type { FullStore, Job } from '@redrive/durable';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { carryOut } from './act.ts';
import type { LetterWish } from './act-output.ts';
import { editedPayload } from './edited-payload.ts';
import { deadJob } from './letter.ts';

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
      // Whoever was faster has made another generation of it.
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
