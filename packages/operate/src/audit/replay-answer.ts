import type { Replay } from '@redrive/durable/audit';
import type { RecordedAnswer, ReplayedDecision } from '@redrive/durable/store';
import { recordAnswer } from './record-answer.ts';
import type { ReplayAnswer } from './replay-schema.ts';

type Decision = ReplayAnswer['steps'][number]['decision'];

export function replayAnswer({ session, same, omitted, steps }: Replay): ReplayAnswer {
  return {
    ...{ session, same, omitted },
    steps: steps.map(({ record, block, decision }) => ({
      ...recordAnswer(record, block),
      decision: decision ? decisionAnswer(decision) : null,
    })),
  };
}

function decisionAnswer(decision: ReplayedDecision): Decision {
  const { policy, policyId, policyFields, version, input, answer, derived, same, wait } = decision;
  return {
    policy_hash: policy,
    policy_id: policyId ?? null,
    policy: policyFields ? { ...policyFields } : null,
    decide_version: version,
    input: { ...input, account: { ...input.account }, outcome: { ...input.outcome } },
    recorded: answerDocument(answer),
    derived: derived ? answerDocument(derived) : null,
    same,
    wait: wait ?? null,
  };
}

function answerDocument({ action, reason, delayMs, entry }: RecordedAnswer) {
  return { action, reason, delay_ms: delayMs ?? null, entry };
}
