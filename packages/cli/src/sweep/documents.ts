import { systemClock } from '@redrive/core';
import { type ExportFormat, exportDeadLetters } from '@redrive/durable/dead-letters';
import { counted, failedLetters, type ShownValues } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import type { RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { withSweeps } from './configured-sweeps.ts';
import { DOCUMENT_COLUMNS, documentRow, noneOf } from './stuck.ts';

type Failed = AnswerOf<typeof ACTIONS.documents.list>;

export const DOCUMENTS_LIST = listOf<Failed, Failed['documents'][number]>(({ answer, nowMs }) => ({
  name: 'documents',
  columns: [...DOCUMENT_COLUMNS, { title: 'error', shrinks: true }],
  row: (one) => [...documentRow(one, nowMs), one.error ?? ''],
  none: noneOf(answer, 'No document is failed.'),
}));

const PAST = { reset: 'reset', archive: 'archived', purge: 'purged' } as const;

export const DOCUMENTS_ACT = textOf<AnswerOf<typeof ACTIONS.documents.purge>>(({ io, answer }) => {
  const { collection, act, done, left, dry_run } = answer;
  const would = dry_run ? 'would be ' : '';
  const others = left > 0 ? ` ${counted(left, 'document')} not failed any more.` : '';
  printText(io, `${counted(done, 'document')} of ${collection} ${would}${PAST[act]}.${others}`);
});

export const runDocumentsExport: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  // The command line takes no others.
  const format = (textOption(options, 'format') ?? 'jsonl') as ExportFormat;
  const payload = (textOption(options, 'payload') ?? 'redacted') as ShownValues;
  return withSweeps(invocation, args, async ({ sweeps }) => {
    const nowMs = (io.clock ?? systemClock).now();
    const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
    const shown = progress(io, 'documents');
    let documents = 0;
    async function* letters() {
      for (const sweep of sweeps) {
        for await (const letter of failedLetters(sweep, payload)) {
          documents += 1;
          shown.update(documents);
          yield letter;
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
