import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printText } from '../terminal/io.ts';
import { ageCell, columns, countCell } from '../terminal/table.ts';
import { onceThereIsAWorker } from '../workers/worker-view.ts';

type Gates = AnswerOf<typeof ACTIONS.gates.list>;
type Released = AnswerOf<typeof ACTIONS.gates.release>;
type Gate = Gates['gates'][number];

export const GATE_RELEASE = textOf<Released>(({ io, answer }) => {
  const { released, has_worker, dry_run } = answer;
  for (const gate of released) printText(io, releaseText(gate, dry_run, has_worker));
});

function releaseText(gate: Gate, dry: boolean, hasWorker: boolean): string {
  const { dependency, credential, tenant, parked } = gate;
  const whose = [
    credential === null ? '' : ` for the credential ${credential}`,
    tenant === null ? '' : ` for the tenant ${tenant}`,
  ].join('');
  const jobs = parked === 1 ? '1 job is released' : `${parked} jobs are released`;
  const rest =
    parked === 0
      ? 'no job waits for it'
      : `${jobs} at a growing pace${onceThereIsAWorker(hasWorker)}`;
  return `The gate of ${dependency}${whose} ${dry ? 'would be' : 'is'} open: ${rest}.`;
}

const GATE_COLUMNS = columns(
  'dependency:cyan | credential:optional | tenant:optional | opens:yellow | closed | parked:right | :optional,shrinks',
);

const NONE =
  'No gate is closed. A gate closes when a job gets a Retry-After from its dependency, or returns retryAfter().';

export const GATE_LIST = listOf<Gates, Gate>(({ nowMs }) => ({
  name: 'gates',
  columns: GATE_COLUMNS,
  none: NONE,
  row: ({ dependency, credential, tenant, until, since, parked, bounded, cut }) => [
    dependency,
    credential ?? '',
    tenant ?? '',
    ageCell(until, nowMs),
    ageCell(since, nowMs),
    countCell(parked, bounded),
    cut ? 'asked for more than an hour' : '',
  ],
}));
