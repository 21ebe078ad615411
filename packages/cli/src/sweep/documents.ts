import { systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import {
  type DeadLetterEnvelope,
  deadLetterOf,
  type ExportFormat,
  exportDeadLetters,
} from '@redrive/durable/dead-letters';
import type { StoredDocument, Sweep } from '@redrive/durable/documents';
import {
  accountOf,
  actOnDocuments,
  counted,
  countFailed,
  DOCUMENT_QUEUE,
  type DocumentAct,
  documentJson,
  failedDocuments,
  failedJson,
  failedPages,
  handlerOf,
  type JobAttempt,
  type ShownValues,
  sessionOf,
  stuckError,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { pageOptions, textOption } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { printList } from '../terminal/table.ts';
import { withSweep, withSweeps } from './configured-sweeps.ts';
import { DOCUMENT_COLUMNS, documentRow } from './stuck.ts';

export const runDocumentsList: RunCommand = (invocation) =>
  withSweeps(invocation, invocation.args, async ({ sweeps }) => {
    const { items, next } = await failedDocuments(sweeps, pageOptions(invocation.options));
    return printList(invocation, {
      name: 'documents',
      items,
      document: failedJson,
      columns: [...DOCUMENT_COLUMNS, { title: 'error', shrinks: true }],
      row: (one) => [...documentRow(one), documentJson(one).error ?? ''],
      none: 'No document is failed.',
      next,
    });
  });

export const runDocumentsExport: RunCommand = (invocation) => {
  const { io, options } = invocation;
  // The command line takes no others.
  const format = (textOption(options, 'format') ?? 'jsonl') as ExportFormat;
  const payload = (textOption(options, 'payload') ?? 'redacted') as ShownValues;
  return withSweep(invocation, async (sweep) => {
    const { fields } = sweep.collection;
    const collection = { ...sweep.collection, fields: { ...fields, read: 'all' } as const };
    const nowMs = (io.clock ?? systemClock).now();
    const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
    const shown = progress(io, 'documents');
    let documents = 0;
    async function* letters() {
      for await (const page of failedPages({ ...sweep, collection })) {
        for (const document of page.documents) {
          documents += 1;
          shown.update(documents);
          yield documentLetter(sweep, document, page.nowMs, payload);
        }
      }
    }
    try {
      const file = await writeExport(io, options, `documents-${time}.${format}`, async (write) => {
        for await (const line of exportDeadLetters(letters(), format)) await write(line);
      });
      if (file === '-') return;
      if (options.json) printJson(io, { file, format, payload, documents });
      else printLines(io, [printable(`${counted(documents, 'document')} in ${file}.`)]);
    } finally {
      shown.end();
    }
  });
};

export const runDocumentsReset: RunCommand = (invocation) => act(invocation, 'reset');
export const runDocumentsArchive: RunCommand = (invocation) => act(invocation, 'archive');
export const runDocumentsPurge: RunCommand = (invocation) => act(invocation, 'purge');

async function act(invocation: Invocation, name: DocumentAct): Promise<void> {
  const { io, args, options } = invocation;
  const [, ...ids] = args;
  const dry = options.dryRun === true;
  await withSweep(invocation, async (sweep, { config }) => {
    const { name: collection } = sweep;
    const eligible = await countFailed(sweep, ids);
    if (eligible === 0)
      throw new CliError('no_match', `No such document of ${collection} is failed.`);
    if (!dry) askConsent(invocation, name, sweep, eligible);
    const request = { act: name, ids, eligible, actor: actorOf(options) };
    const result = dry
      ? { done: eligible, left: 0 }
      : await withStore(invocation, (store) => actOnDocuments(store, sweep, request), { config });
    if (options.json) return printJson(io, { collection, act: name, ...result, dry_run: dry });
    const done = `${counted(result.done, 'document')} of ${collection}`;
    const left = result.left > 0 ? ` ${counted(result.left, 'document')} not failed any more.` : '';
    printLines(io, [
      printable(`${done} ${dry ? 'would be' : ''} ${PAST[name]}.${left}`.replace('  ', ' ')),
    ]);
  });
}

const PAST = { reset: 'reset', archive: 'archived', purge: 'purged' } as const;

function askConsent(
  { args, options }: Invocation,
  act: DocumentAct,
  { name }: Sweep,
  eligible: number,
): void {
  const documents = counted(eligible, 'failed document');
  if (act === 'purge' && options.confirm !== name) {
    const message = `${documents} of ${name} would be deleted for good.`;
    throw new CliError('refused', message, `To go ahead: ${commandText`--confirm ${name}`}`);
  }
  if (act !== 'purge' && args.length === 1 && options.yes !== true) {
    const message = `All ${documents} of ${name} would be ${PAST[act]}.`;
    throw new CliError('refused', message, 'To go ahead: --yes');
  }
}

/** A failed document as a dead letter: the form that all exports have. */
function documentLetter(
  sweep: Sweep,
  document: StoredDocument,
  nowMs: number,
  shown: ShownValues,
): DeadLetterEnvelope {
  const { name, policy } = sweep;
  const { id, count, timeMs, mark, values } = document;
  const attempts = Number.isSafeInteger(count) ? Number(count) : 0;
  const diedAtMs = mark?.atMs ?? timeMs ?? nowMs;
  const last: JobAttempt = {
    ...{ generation: 1, attempt: Math.max(1, attempts), durationMs: 0, delayBeforeMs: 0 },
    startedAtMs: timeMs ?? diedAtMs,
    ...{ entry: 'failed', action: 'give-up', reason: 'max_attempts_exceeded' },
    error: stuckError(document),
    ...{ worker: '', policyId: policy.id, policyHash: '', maxAttempts: policy.maxAttempts },
  };
  const letter: Parameters<typeof deadLetterOf>[0] = {
    id: mark?.event ?? id,
    sessionId: sessionOf(sweep, id),
    idempotencyKey: id,
    origin: { rung: 'document', bus: sweep.event.bus, source: name },
    ...{ handler: handlerOf(sweep), queue: DOCUMENT_QUEUE, tenant: '' },
    // The whole document.
    payload: { kind: 'json', text: JSON.stringify(values) },
    headers: {},
    reason: 'max_attempts_exceeded',
    errorClass: 'retryable',
    account: accountOf(attempts),
    attempts: { kept: [last], omitted: Math.max(0, attempts - 1) },
    submittedAtMs: document.createdMs ?? timeMs ?? diedAtMs,
    finishedAtMs: diedAtMs,
  };
  return deadLetterOf(letter, { payload: shown });
}
