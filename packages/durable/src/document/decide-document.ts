import { type Decision, type DecisionInput, decide } from '@redrive/core';
import { DECIDE_VERSION, sanitiseError, sessionRandom } from '@redrive/core/stored';
import { noteOf } from '../audit/audit-sink.ts';
import type { StoredDocument } from '../document-source/document-source.ts';
import type { NoteCommand } from '../store/commands.ts';
import { versionOf } from '../worker/policy-versions.ts';
import { countOf, handlerOf, type Sweep, sessionOf } from './sweep.ts';

/** A decision about a document that is due. `made` is absent for one that was never attempted. */
export type DocumentDecision =
  | { readonly step: 'send'; readonly dueAtMs: number; readonly made?: MadeDecision | undefined }
  /** The document is sent again at this time of the database's clock. */
  | { readonly step: 'wait'; readonly dueAtMs: number; readonly made: MadeDecision }
  | { readonly step: 'fail'; readonly made: MadeDecision };

export interface MadeDecision {
  readonly input: DecisionInput;
  readonly decision: Decision;
}

const HEALTHY_SHARE = 0.5;
const MOST_TIMES_LONGER = 8;
const FAILURE = { kind: 'failure', errorClass: 'retryable', effect: 'unknown' } as const;

/**
 * Decides about a document that is due, as about a failed attempt whose effect is unknown.
 *
 * @param share see `backoffFactor`. Default 1.
 */
export function decideDocument(
  sweep: Pick<Sweep, 'name' | 'policy'>,
  document: StoredDocument,
  nowMs: number,
  share = 1,
): DocumentDecision {
  const made = decided(sweep, document.id, countOf(document), share);
  if (made === undefined) return { step: 'send', dueAtMs: -Infinity };
  const { decision } = made;
  if (decision.action === 'give-up') return { step: 'fail', made };
  const dueAtMs = (document.timeMs ?? -Infinity) + (decision.delayMs ?? 0);
  return { step: dueAtMs <= nowMs ? 'send' : 'wait', dueAtMs, made };
}

/**
 * How many times as long the back-off is.
 *
 * @param share of the events that were published and had time to be processed, those whose documents are done: below one
 *   half, the back-off is divided by it.
 */
export function backoffFactor(share: number): number {
  return share >= HEALTHY_SHARE ? 1 : Math.min(1 / share, MOST_TIMES_LONGER);
}

/** The decision after `count` attempts. `undefined`: there was none, so the first one is due. */
export function decided(
  sweep: Pick<Sweep, 'name' | 'policy'>,
  id: string,
  count: number,
  share = 1,
): MadeDecision | undefined {
  if (count === 0) return undefined;
  const input: DecisionInput = {
    policy: sweep.policy,
    account: { charged: count, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
    outcome: FAILURE,
    rung: 'document',
    ...{ horizonMs: Infinity, timeLeftMs: Infinity, allowance: Infinity, canHandOver: false },
    ...{ budgetAllows: true, breakerOpenMs: 0, onUnknown: 'retry' },
    // The same at every sweep: a document that waits is not drawn for again.
    random: sessionRandom(sessionOf(sweep, id), count),
  };
  const decision = decide(input);
  const { delayMs = 0 } = decision;
  const factor = backoffFactor(share);
  if (factor === 1 || delayMs === 0) return { input, decision };
  // A hint is a floor.
  const retryAfterMs = Math.round(delayMs * factor);
  const hinted = { ...input, outcome: { ...FAILURE, retryAfterMs } };
  return { input: hinted, decision: decide(hinted) };
}

/** The record of a decision, from which the audit log derives it again. */
export function decisionNote(
  sweep: Sweep,
  document: StoredDocument,
  { input, decision }: MadeDecision,
  nowMs: number,
): NoteCommand {
  const { policy, dependency } = sweep;
  const { hash, maxAttempts } = versionOf(policy);
  const { policy: _, ...recorded } = input;
  return noteOf({
    kind: 'attempt_ended',
    atMs: nowMs,
    session: {
      sessionId: sessionOf(sweep, document.id),
      ...{ policyId: policy.id, policyHash: hash, maxAttempts },
      operation: handlerOf(sweep),
      ...(dependency !== '' && { dependency }),
      context: { collection: sweep.name, document: document.id },
    },
    attempt: input.account.charged,
    startedAtMs: document.timeMs ?? nowMs,
    durationMs: Math.max(0, nowMs - (document.timeMs ?? nowMs)),
    ...{ delayBeforeMs: 0, success: false, error: stuckError(document), decision },
    ...{ input: recorded, decideVersion: DECIDE_VERSION },
  });
}

/** The last error that its owner kept in it, sanitised and bounded; else that the document did not change. */
export function stuckError({ error }: StoredDocument) {
  // The same sentence before and after the document is marked as failed, so that both have one cause.
  const message = error ?? 'The document was not processed after its last attempt';
  return sanitiseError({ name: error === undefined ? 'DocumentStuck' : 'DocumentError', message });
}
