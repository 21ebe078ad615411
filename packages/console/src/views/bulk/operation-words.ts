import type { OperationsListAnswer } from '@redrive/client';
import type { LogRecord as Record_ } from '../../api.ts';
import { bounded, num, rate } from '../../format.ts';

export type OperationDocument = OperationsListAnswer['operations'][number];

const VERBS: Readonly<Record<string, string>> = {
  requeue: 'Requeue',
  purge: 'Purge',
  reset: 'Reset',
  restore: 'Restore',
  cancel: 'Cancel',
};

/** `Requeue 8,936 dead letters` */
export function titleOf({ act, total, total_bounded }: OperationDocument): string {
  const noun = act === 'cancel' ? 'jobs' : 'dead letters';
  const one = total === 1 ? noun.slice(0, -1) : noun;
  return `${VERBS[act] ?? act} ${total === null ? noun : `${bounded(total, total_bounded)} ${one}`}`;
}

/** A line of its history; `undefined`: the record says nothing that an operator asks for. */
export function historyText(
  { event, detail }: Record_,
  stages: readonly number[],
): string | undefined {
  const { act, stage, acted, ratePerSecond } = detail;
  if (event === 'act') return acted === undefined ? 'Submitted' : `All sent: ${num(Number(acted))}`;
  switch (act) {
    case 'stage':
      return typeof stage === 'number' && stage <= stages.length
        ? `Stage ${stages[stage - 1]} began`
        : 'The rest began';
    case 'pause':
      return 'Paused';
    case 'resume':
      return 'Resumed';
    case 'abort':
      return 'Aborted';
    case 'rate':
      return ratePerSecond === undefined
        ? 'Rate: no limit'
        : `Rate: ${rate(Number(ratePerSecond))}`;
    case 'stop':
      return 'Stopped by its ramp';
    case 'finish':
      return 'Finished';
    default:
      return undefined;
  }
}

/** The filter of a request as words of the search: `group:fp1:…`. */
export function requestTokens(
  request: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  const filter = Object(request.filter ?? request.jobs) as Record<string, unknown>;
  return Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[NAMES[name] ?? name, String(value)] as const],
  );
}

const NAMES: Readonly<Record<string, string>> = {
  fingerprint: 'group',
  errorClass: 'class',
  sessionId: 'session',
};
