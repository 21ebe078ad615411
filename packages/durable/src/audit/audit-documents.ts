import { isoTime } from '../documents/times.ts';
import type { AuditRecord } from './audit-block.ts';
import { actorIn, type FoundRecord } from './record-filter.ts';
import type { RecordedAnswer } from './rederive.ts';
import type { Replay, ReplayedDecision } from './replay.ts';
import type { Verification } from './verify.ts';

/** A record that was asked for, with its place, by which it can be proven. */
export function foundDocument({ record, block, index }: FoundRecord) {
  return { ...recordDocument(record, block), record: `${block}.${index}` };
}

/** A record as JSON prints it. */
export function recordDocument(record: AuditRecord, block: number) {
  const [id, revision, event, from, to, atMs, token, generation, executions, , detail] = record;
  return {
    time: new Date(atMs).toISOString(),
    event,
    id,
    from,
    to,
    by: actorIn(detail) || null,
    why: typeof detail.why === 'string' ? detail.why : null,
    block,
    revision,
    token,
    generation,
    executions,
    detail,
  };
}

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

function decisionDocument(decision: ReplayedDecision) {
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

/** A verification as JSON prints it. */
export function verificationDocument({ problemsFound, head, ...found }: Verification) {
  return {
    ...found,
    head: head ? { seq: head.seq, hash: head.hash, time: isoTime(head.atMs) } : null,
    problems_found: problemsFound,
  };
}
