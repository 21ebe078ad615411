import { type Decision, type DecisionInput, decide } from '@redrive/core';
import { DECIDE_VERSION, sanitiseError, sessionRandom } from '@redrive/core/stored';
import { noteOf } from '../audit/audit-sink.ts';
import type { StoredDocument } from '../document-source/document-source.ts';
import type { NoteCommand } from '../store/commands.ts';
import { versionOf } from '../worker/policy-versions.ts';
import { countOf, handlerOf, type Sweep, sessionOf } from './sweep.ts';

/** A decision about a document, with its input: `input` is absent for a document that was never attempted. */
export interface DocumentDecision {
  readonly action: 'send' | 'wait' | 'bury';
  /** The document is sent again at this time of the database's clock. `-Infinity`: at once. */
  readonly dueAtMs: number;
  readonly made?: MadeDecision | undefined;
}

export interface MadeDecision {
  readonly input: DecisionInput;
  readonly decision: Decision;
}

/** The share of the last sweep's documents that are done since. Below this, back-off grows. */
const HEALTHY_SHARE = 0.5;
const MOST_TIMES_LONGER = 8;
const FAILURE = { kind: 'failure', errorClass: 'retryable', effect: 'unknown' } as const;

/**
 * Decides about a stuck document, as about a failed attempt whose effect is unknown.
 *
 * @param share of the documents that the last sweep sent and that are done since: below one half, the back-off divided by
 *   it is a hint, which is a floor. Default 1.
 */
export function decideDocument(
  sweep: Pick<Sweep, 'name' | 'policy'>,
  document: StoredDocument,
  nowMs: number,
  share = 1,
): DocumentDecision {
  const made = decided(sweep, document.id, countOf(document), share);
  if (made === undefined) return { action: 'send', dueAtMs: -Infinity };
  const { decision } = made;
  if (decision.action === 'give-up') return { action: 'bury', dueAtMs: nowMs, made };
  const dueAtMs = (document.timeMs ?? -Infinity) + (decision.delayMs ?? 0);
  return { action: dueAtMs <= nowMs ? 'send' : 'wait', dueAtMs, made };
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
  if (share >= HEALTHY_SHARE || delayMs === 0) return { input, decision };
  const retryAfterMs = Math.round(delayMs * Math.min(1 / share, MOST_TIMES_LONGER));
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
export function stuckError({ error, status }: StoredDocument) {
  const message = error ?? `The document stayed ${status} after its last attempt`;
  return sanitiseError({ name: error === undefined ? 'DocumentStuck' : 'DocumentError', message });
}
