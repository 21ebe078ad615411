import { commandText } from '@redrive/core/fields';
import { formatTime, type PlannedDocument } from '@redrive/durable/store';
import { shortFactor } from './short-factor.ts';

type Step = PlannedDocument['next']['step'];

const VERBS: Readonly<Record<Step, string>> = {
  ...{ invalid: '', over: '', failed: '', running: 'running', young: 'wait', wait: 'wait' },
  ...{ fail: 'fail', claimed: 'unsent', unsent: 'unsent', dead: 'dead letter', settle: 'count' },
  ...{ resend: 'send', send: 'send' },
};

/** The steps that a stopped sweep does not take. */
const STOPPED: ReadonlySet<Step> = new Set(['fail', 'resend', 'send', 'settle']);

/** What the next sweep does with a document, in a word, or the problem of an invalid one. */
export function verbOf({ next, stopped }: PlannedDocument): string {
  if (next.step === 'invalid') return next.problem;
  return stopped !== undefined && STOPPED.has(next.step) ? 'stopped' : VERBS[next.step];
}

export function dueOf(next: PlannedDocument['next']): number | undefined {
  return 'dueAtMs' in next && Number.isFinite(next.dueAtMs) ? next.dueAtMs : undefined;
}

/** Why a document was not sent again, in one sentence, and why sweeps are stopped. */
export function verdictOf({ document, next, stopped, factor }: PlannedDocument): string {
  const event = document.mark?.event ?? '<id>';
  const requeue = commandText`redrive dlq requeue ${event}`;
  const held = stopped === undefined ? '' : ` Sweeps are stopped now: ${stopped}.`;
  const longer = factor > 1 ? `, which is ${shortFactor(factor)} times as long as usual` : '';
  switch (next.step) {
    case 'invalid':
      return `It is never sent. ${next.problem}.`;
    case 'failed':
      return `It is beyond its attempts: "${requeue}" resets it and sends its event.`;
    case 'over':
      return `It is ${document.status}: sweeps leave it alone.`;
    case 'claimed':
      return 'Its event was claimed less than a minute ago: its job sends it.';
    case 'unsent':
      return `Its event waits to be sent by job ${event}: no attempt counts until then.`;
    case 'dead':
      return `Its event could not be sent: the dead letter ${event} says why, and "${requeue}" sends it. Sweeps leave the document alone.`;
    case 'settle':
      return `Its event was sent: the next sweep counts the attempt.${held}`;
    case 'resend':
      return `A sweep claimed it and ended too early: the next one sends its event.${held}`;
    case 'running':
      return `Its last attempt may still run: it is due from ${formatTime(next.dueAtMs)} on.${held}`;
    case 'young':
      return `It is younger than the minimum age until ${formatTime(next.dueAtMs)}.${held}`;
    case 'fail':
      return `Its attempts are used up: the next sweep marks it as failed.${held}`;
    case 'wait':
      return `It waits for its back-off until ${formatTime(next.dueAtMs)}${longer}.${held}`;
    case 'send':
      return `The next sweep sends it.${held}`;
  }
}
