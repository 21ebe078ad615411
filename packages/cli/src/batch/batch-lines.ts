import { commandText } from '@redrive/core/fields';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, columns } from '../terminal/table.ts';

type Batches = AnswerOf<typeof ACTIONS.batches.list>;
type Batch = AnswerOf<typeof ACTIONS.batches.show>;
type Acted = AnswerOf<typeof ACTIONS.batches.cancel>;

const COLUMNS = columns(
  'id:cyan | tenant:optional | state:yellow | done:right | running:right | dead:right | opened:dim | then:optional',
);

export const BATCH_LIST = listOf<Batches, Batch>(({ nowMs }) => ({
  name: 'batches',
  columns: COLUMNS,
  none: 'No batch matches. A program makes one with jobs.enqueueBatch().',
  row: (batch) => [
    batch.id,
    batch.tenant ?? '',
    batch.state,
    doneText(batch),
    String(batch.running),
    String(batch.dead),
    ageCell(batch.opened_at, nowMs),
    batch.then ?? '',
  ],
}));

export const BATCH_SHOW = textOf<Batch>(({ io, answer }) => {
  const { id, state, then, then_job: job, by, tenant } = answer;
  const { waiting, running, succeeded, dead, cancelled, purged } = answer;
  const counts = Object.entries({ waiting, running, succeeded, dead, cancelled, purged })
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${number.toLocaleString('en')} ${name}`);
  const facts: [string, string | null][] = [
    ['done', doneText(answer)],
    ['jobs', counts.join(', ')],
    ['tenant', tenant],
    ['then', then && (job === null ? `${then}, when all jobs have finished` : `${then}: ${job}`)],
    ['opened', `${answer.opened_at} by ${by}`],
    ['sealed', answer.sealed_at],
    ['ended', answer.ended_at],
  ];
  printLines(io, [
    `${printable(id)}  ${state}`,
    ...facts
      .filter(([, text]) => text)
      .map(([name, text]) => `  ${name.padEnd(8)}${printable(text ?? '')}`),
  ]);
});

export const BATCH_ACT = textOf<Acted>(({ io, answer }) => {
  const { batch, jobs, more, operation, dry_run: dry } = answer;
  const number = `${more ? 'more than ' : ''}${jobs.toLocaleString('en')} ${jobs === 1 ? 'job' : 'jobs'}`;
  if (jobs === 0) printText(io, `The batch ${batch} has no such job. Nothing was changed.`);
  else if (dry) printText(io, `It would act on ${number} of the batch ${batch}.`);
  else {
    const follow = commandText`redrive ops show ${operation ?? ''}`;
    printText(io, `Workers act on ${number} of the batch ${batch}. Follow it with: ${follow}`);
  }
});

function doneText({ total, waiting, running }: Batch): string {
  return `${(total - waiting - running).toLocaleString('en')} of ${total.toLocaleString('en')}`;
}
