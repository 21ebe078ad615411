import type { RecordedAnswer, Replay, ReplayedDecision } from '@redrive/durable';
import { recordDocument } from './record-document.ts';

/** A replay as JSON prints it. */
export function replayDocument({ session, same, omitted, steps }: Replay) {
  return {
    session,
    same,
    omitted,
    steps: steps.map(({ record, block, decision }) => ({
      ...recordDocument(record, block),
      decision: decision ? decisionDocument(decision) : null,
    })),
  };
}

function decisionDocument(decision: ReplayedDecision): object {
  const { policy, policyId, policyFields, version, input, answer, derived, same, wait } = decision;
  return {
    policy_hash: policy,
    policy_id: policyId ?? null,
    policy: policyFields ?? null,
    decide_version: version,
    input,
    recorded: answerDocument(answer),
    derived: derived ? answerDocument(derived) : null,
    same,
    wait: wait ?? null,
  };
}

function answerDocument({ action, reason, delayMs, entry }: RecordedAnswer) {
  return { action, reason, delay_ms: delayMs ?? null, entry };
}
