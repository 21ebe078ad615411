import { type Config, jobsSettings } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { FullStore, Store } from '@redrive/durable';
import {
  checkHandlerIsKnown,
  type EnqueueCommand,
  type EnqueueResult,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { enqueueLines } from './enqueue-lines.ts';
import {
  type Accepted,
  enqueuedJson,
  type JobMaker,
  jobMaker,
  jobWishes,
  wouldBeJson,
} from './job-maker.ts';

export const runEnqueue: RunCommand = async (invocation) => {
  const { args, io, options } = invocation;
  const [handler = ''] = args;
  const payload = textOption(options, 'payload');
  const from = textOption(options, 'from');
  if (payload === undefined && from === undefined) {
    const hint = `Write --payload '{"any": "JSON"}', or --from a file with one payload per line.`;
    throw new CliError('usage', 'The payload is missing.', hint);
  }
  const config = await loadConfig(invocation);
  const wishes = jobWishes(options, config, (io.clock ?? systemClock).now());
  return withStore(
    invocation,
    async (store) => {
      if (!options.runsElsewhere) await checkHandler(store, config, handler);
      const make = jobMaker(store, handler, wishes, options);
      return from === undefined
        ? enqueueOne(invocation, store, make, payload ?? '')
        : enqueueLines(invocation, store, make, from);
    },
    { create: true, config },
  );
};

async function enqueueOne(
  { io, options }: Invocation,
  store: Store,
  make: JobMaker,
  payload: string,
): Promise<void> {
  const command = made(make, payload);
  if (options.dryRun) {
    if (options.json) printJson(io, wouldBeJson(command));
    else printLines(io, [printable(`A job of ${command.job.handler} would be enqueued.`)]);
    return;
  }
  const [result] = await store.apply([command]);
  const job = accepted(result, command);
  if (options.json) printJson(io, await enqueuedJson(store, command, job));
  // A pipe gets the id as it is.
  else printLines(io, [io.screen.isTerminal ? printable(job.id) : job.id]);
}

/** A payload that is not JSON is wrong usage; other errors have their own code. */
function made(make: JobMaker, payload: string): EnqueueCommand {
  try {
    return make(payload);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    const hint = `Check the quotes for your shell: --payload '{"to": "a@example.org"}'`;
    throw new CliError('usage', `--payload is not valid JSON: ${error.message}`, hint);
  }
}

function accepted(result: EnqueueResult, { job, uniqueForMs }: EnqueueCommand): Accepted {
  if (result.ok) return result;
  const which = `${uniqueForMs === undefined ? 'unfinished ' : ''}job ${result.id}`;
  throw new CliError(
    'conflict',
    result.refusal === 'unique_conflict'
      ? `The ${which} already has the unique key ${job.uniqueKey ?? ''}.`
      : `The job ${result.id} was enqueued with another handler or payload.`,
    `Look at it with: ${commandText`redrive jobs show ${result.id}`}`,
  );
}

/** @throws CliError with the exit code 3 and the nearest name. */
async function checkHandler(store: FullStore, config: Config, name: string): Promise<void> {
  const declared = [...jobsSettings(config).handlers.keys()];
  await checkHandlerIsKnown(store, declared, name).catch((error: unknown) => {
    if (!isRedriveError(error, 'unknown_handler')) throw error;
    const { nearest: close } = error.details;
    throw new CliError(
      'no_match',
      error.message,
      close === undefined
        ? 'Declare it under jobs.handlers of redrive.yaml; if another program runs it, add --runs-elsewhere.'
        : `Did you mean "${close}"? If another program runs "${name}", add --runs-elsewhere.`,
    );
  });
}
